"""The lesson of Mittlere Jass."""

from typing import Final

from ordago.scene import sentence
from ordago_web.play.lessons.lesson import Lesson, ask, explain, figure, held, lying

LESSON: Final = Lesson(
    seats=3,
    options={"deals": 3},
    seed=3,
    script=(
        explain(
            sentence(
                "You are Kim and play alone, as Ada and Bela do. The aim is unusual: do not come second. The players "
                "with the most and the fewest points gain, the one in the middle pays."
            ),
        ),
        explain(
            sentence(
                "Each plays one card to a trick, and you have to follow suit. The highest card of the suit led takes "
                "it: A K Q J 10 9 8 7 6. At first there is no trump."
            ),
        ),
        explain(
            sentence("You lead. You do not know yet whether you want many points or few, so start low, with {card}."),
            card=held("7♥"),
        ),
        "Play 7♥ | Play 10♥ | Play 8♥",
        explain(
            sentence(
                "Ada took the trick with {ten}. A ten counts 10 points, an ace 11, a king 4, a queen 3, a jack 2. Ada "
                "leads to the next trick."
            ),
            ten=lying("10♥"),
        ),
        "Play Q♣ | Play A♣ | Play 8♣ | Play 7♣ | Play J♣ | Play K♣ | Play 10♣ | Play 9♣",
        explain(
            sentence(
                "Now {ten} is led, and you have no club left. The first card that does not follow suit makes its own "
                "suit trump, for the rest of the deal. You choose!"
            ),
            ten=lying("10♣"),
        ),
        explain(
            sentence(
                "Your spades are long: {spades}. In the trump suit the jack is highest and counts 20: the Puur. Then "
                "comes the nine with 14, the Nell."
            ),
            spades=held("K♠", "J♠", "10♠", "9♠", "8♠"),
        ),
        ask(
            sentence(
                "So make spades trump. Any spade takes this trick. Take it with {ten}: its 10 points are then yours, "
                "and Puur and Nell stay in your hand."
            ),
            ten=held("10♠"),
        ),
        "Play 10♠",
        explain(
            sentence(
                "Spades are trump, and you lead. Lead {nell}, the Nell: only the Puur is higher, and you hold it "
                "yourself. The others have to play trumps."
            ),
            nell=held("9♠"),
        ),
        "Play 9♠ | Play A♠ | Play 7♠",
        explain(
            sentence(
                "{ace} had to fall under your Nell. You have {tricks} tricks. A low trump now draws the last trumps of "
                "the others; the highest two stay with you."
            ),
            ace=lying("A♠"),
            tricks=figure("tricks", 0),
        ),
        "Play 8♠ | Play Q♠ | Play 6♠ | Play K♦ | Play 10♦",
        ask(
            sentence(
                "Ada led {king}, and Bela played {ten}: 14 points. You have diamonds, but you may always trump a plain "
                "suit. Take it with {trump}."
            ),
            king=lying("K♦"),
            ten=lying("10♦"),
            trump=held("K♠"),
        ),
        "Play K♠",
        explain(
            sentence(
                "You are far ahead. But take care: 100 points or more cost you 2, and the others gain. Lead {low}, and "
                "let somebody else take a trick."
            ),
            low=held("7♦"),
        ),
        "Play 7♦ | Play 9♦ | Play Q♦ | Play K♥ | Play J♠ | Play J♥",
        explain(
            sentence(
                "You could have followed suit with {hearts}. Your Puur took this trick too: 20, and 6 for king and "
                "jack. Enough now: give the rest away."
            ),
            hearts=held("9♥", "6♥"),
        ),
        "Play J♦ | Play 6♦ | Play 8♦ | Play 6♥ | Play Q♥ | Play A♥ | Play A♦ | Play 9♥ | Play 6♣",
        explain(
            sentence(
                "The last trick counts 5 more. You have the most points and Ada the fewest: {own} and {ada}. Bela is "
                "in the middle and pays: {bela}. With weak cards, be Ada: take few points."
            ),
            own=figure("score", 0),
            ada=figure("score", 1),
            bela=figure("score", 2),
        ),
    ),
)
"""Long spades become trump, and most points are taken, but not a hundred."""
