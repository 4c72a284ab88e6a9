"""The lesson of Mus."""

from typing import Final

from ordago.scene import sentence
from ordago_web.play.lessons.lesson import Lesson, ask, explain, figure, held

LESSON: Final = Lesson(
    seats=4,
    options={"signals": "off"},
    seed=88,
    script=(
        explain(
            sentence(
                "You are Kim, and Bela opposite is your partner. You play against Ada and Cleo. Nobody plays cards in "
                "Mus: the sides bet on whose four cards are better."
            ),
        ),
        explain(
            sentence(
                "From high to low: rey, caballo, sota, 7, 6, 5, 4, as. A three is a king too, and a two is an ace. So "
                "{kings} are two kings, and {rest} are weak."
            ),
            kings=held("3c", "3e"),
            rest=held("Co", "6c"),
        ),
        explain(
            sentence(
                "You are the mano: you speak first, and win if hands are equal. You want better cards, so you say mus. "
                "If all four say mus, all exchange."
            ),
        ),
        "Mus | Mus | Mus | Mus",
        ask(
            sentence(
                "All said mus. Choose 1 to 4 cards to exchange. Keep both kings: discard {rest}.",
            ),
            rest=held("Co", "6c"),
        ),
        "Discard Co 6c | Discard 5b 4o | Discard Cb 6e 2e Ae | Discard So 7o 2b",
        explain(
            sentence(
                "You drew {drawn}. Now you have three kings and an ace: {hand}. That is excellent, so say no mus. Then "
                "the betting begins."
            ),
            drawn=held("Ro", "2c"),
            hand=held("Ro", "3c", "3e", "2c"),
        ),
        "No mus",
        ask(
            sentence(
                "First lance: grande, the highest cards win. Hardly anybody beats three kings. Bet 2 points: say "
                "envido."
            ),
        ),
        "Envido 2",
        explain(
            sentence(
                "Now Ada and Cleo answer: quiero accepts, no quiero refuses. They may also raise. Of two partners the "
                "bolder answer counts."
            ),
        ),
        "No quiero | Quiero",
        explain(
            sentence(
                "Grande: {state}. Ada refused, but Cleo accepted, and that counts. These points are scored at the end, "
                "when all show their cards."
            ),
            state=figure("Grande"),
        ),
        explain(
            sentence(
                "Second lance: chica, the lowest cards win. Three kings are poor here. You say paso, which means no "
                "bet."
            ),
        ),
        "Paso | Paso | Paso | Envido 2",
        explain(
            sentence("Cleo bets 2. You and Bela have nothing for chica, so you refuse. A refused bet of 2 costs 1."),
        ),
        "No quiero | No quiero",
        explain(
            sentence(
                "Ada and Cleo have {score} point. It counts at once. Third lance: pares. A par is two alike, medias "
                "three alike, duples two pairs. Your three kings are medias."
            ),
            score=figure("Ada & Cleo"),
        ),
        "Envido 2 | No quiero | No quiero",
        explain(
            sentence(
                "Both refused: {own} point for you at once. And as you have the better pares, your medias count 2 more "
                "at the end."
            ),
            own=figure("Kim & Bela"),
        ),
        ask(
            sentence(
                "Last lance: juego, 31 or more. Kings, caballos and sotas count 10, aces 1: {hand} are 31. That is the "
                "best juego, and you are the mano: nobody can beat you. Say paso, and wait."
            ),
            hand=held("Ro", "3c", "3e", "2c"),
        ),
        "Paso | Paso | Envido 2",
        explain(
            sentence(
                "Cleo bets 2. You cannot lose juego, so bet the whole game: say órdago.",
            ),
        ),
        "Órdago | No quiero | No quiero",
        explain(
            sentence(
                "They refuse the órdago, so you get the 2 points that were bet. Then all show their cards. Cleo had "
                "{cleo}: 32, no match for your 31."
            ),
            cleo=held("Rb", "7e", "5e", "3b", seat=3),
        ),
        explain(
            sentence(
                "The end of the deal: 2 for grande, 2 for your medias, 2 for your juego of 31. With what you had that "
                "makes {own}, and {other} for them. The first side with 40 wins."
            ),
            own=figure("Kim & Bela"),
            other=figure("Ada & Cleo"),
        ),
    ),
)
"""Three kings and an ace of the mano: the best grande, and a juego that nobody can beat."""
