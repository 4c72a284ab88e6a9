"""@NAME@: a bot for Ordago that plays Mittlere Jass by a model."""

from pathlib import Path

import ordago_bot

GAME = "mittlere_v0"  # with the version of the encoding for which the model was trained
MyBot = ordago_bot.policy(Path(__file__).with_name("model.onnx"), game=GAME)

if __name__ == "__main__":
    ordago_bot.run(MyBot, name="@NAME@", version="0.1.0", games=["mittlere"])
