"""The lesson of Mitigati."""

from typing import Final

from ordago.scene import sentence
from ordago_web.play.lessons.lesson import NEXT_DEAL, Lesson, ask, explain, figure, held, last_word, lying

LESSON: Final = Lesson(
    seats=3,
    options={},
    seed=1,
    script=(
        explain(
            sentence(
                "You are Kim and play alone, as Ada and Bela do. Each has 10 cards so far. Now you bargain: if all "
                "three agree on who pays whom, nobody plays a card."
            ),
        ),
        explain(
            sentence(
                "There are 21 trumps and four suits. You hold six trumps, {high} among them, and {small}, the bagatto, "
                "which counts 5. That is strong, so ask for chips."
            ),
            high=held("XX"),
            small=held("I"),
        ),
        explain(
            sentence("Each in turn says how many chips they want to receive or will pay. You ask for 15."),
        ),
        "State 15 | State -4",
        explain(
            sentence(
                "Ada would pay {ada}. From the third statement on, the last three are added up: at zero the bargain is "
                "made. But Bela may also say play."
            ),
            ada=last_word(1),
        ),
        "Play the deal",
        explain(
            sentence(
                "Bela said play, so each got five more cards. You drew {kings}: a king counts 5. Your hand is better "
                "than before, and you can ask for more."
            ),
            kings=held("K♦", "K♥"),
        ),
        ask(
            sentence("The second bargain. Ask for 25 chips: enter 25 and state it."),
        ),
        "State 25 | State -8 | State -10",
        explain(
            sentence(
                "{own} − {ada} − {bela} is more than zero, so you go on. Your next statement has to be worse for you. "
                "Below zero no agreement is possible any more."
            ),
            own=last_word(0),
            ada=last_word(1),
            bela=last_word(2),
        ),
        ask(
            sentence("Ada and Bela come closer by themselves, chip by chip. Come down to 20."),
        ),
        "State 20 | State -9 | State -11",
        explain(
            sentence(
                "These three come to zero: the bargain is made. You have {own} chips, Ada {ada}, Bela {bela}. Nobody "
                "plays, and a new deal begins."
            ),
            own=figure("chips", 0),
            ada=figure("chips", 1),
            bela=figure("chips", 2),
        ),
        NEXT_DEAL,
        explain(
            sentence(
                "This time your cards are weak: no king, and no trump but {matto}, the matto, which is worth 4. With "
                "such a hand it is better to pay a little."
            ),
            matto=held("O"),
        ),
        "State -3 | State -2 | Play the deal",
        explain(
            sentence(
                "You offered {own} chips and Ada {ada}, but Bela said play. Bela must be strong. You bargain twice "
                "more, at 15 and at 20 cards."
            ),
            own=last_word(0),
            ada=last_word(1),
        ),
        "State -5 | State -4 | Play the deal | State -8 | State -6 | Play the deal | Discard three cards A♣ 7♥ 8♥",
        explain(
            sentence(
                "No bargain: each has 25 cards. Bela, the dealer, laid three away, the scarto. Good holdings are paid "
                "now. Bela has 12 trumps, all four kings, mondo and bagatto: you are down to {own} chips."
            ),
            own=figure("chips", 0),
        ),
        explain(
            sentence(
                "Now come 25 tricks. Follow suit. If you cannot, play a trump; without trumps, any card. In a suit K, "
                "Q, C, J are high, and they count most."
            ),
        ),
        "Play 2♣ | Play 3♣ | Play K♣ | Play 4♦",
        ask(
            sentence(
                "Bela took your club with the king, and leads {led}. Of diamonds only the king beats your queen and "
                "your knight. The knight counts less, so risk {knight}."
            ),
            led=lying("4♦"),
            knight=held("C♦"),
        ),
        "Play C♦ | Play A♦",
        explain(
            sentence(
                "You took the trick. The matto may be played at any time, even if you could follow: it takes no trick, "
                "but you keep it and its 4 points."
            ),
        ),
        explain(
            sentence(
                "After 25 tricks each counts card points. The average is 43: the difference is gained or paid in "
                "chips. You know enough to bargain."
            ),
        ),
    ),
)
"""A bargain that is made, and a hand for which it would have been better to pay."""
