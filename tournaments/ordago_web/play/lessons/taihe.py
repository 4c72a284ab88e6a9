"""The lesson of Taihe A Bao."""

from typing import Final

from ordago.scene import sentence
from ordago_web.play.lessons.lesson import Lesson, ask, explain, figure, held, lying

LESSON: Final = Lesson(
    seats=4,
    options={"deals": 2},
    seed=45,
    script=(
        explain(
            sentence(
                "You are Kim. One player, the declarer, plays against all others, and the first player without cards "
                "ends the deal. From high to low: A K Q J 10 9 7 6 5 4."
            ),
        ),
        explain(
            sentence(
                "You lead or beat combinations: single cards, pairs, sequences of three or more. Three or four alike "
                "are bombs, which beat all of these. You hold two bombs: {sixes} and {fours}."
            ),
            sixes=held("6♣", "6♦", "6♠"),
            fours=held("4♣", "4♦", "4♥"),
        ),
        explain(
            sentence(
                "In turn each passes or declares. If all pass, players may exchange: ask for a card, and give one "
                "back. The last one to exchange is then the declarer."
            ),
        ),
        ask(
            sentence(
                "Two bombs and two aces, {aces}: hardly anybody can stop you. Declare.",
            ),
            aces=held("A♣", "A♦"),
        ),
        "Declare",
        explain(
            sentence(
                "You are the declarer, and you lead. The game value is {value}: if you are out first, each of the "
                "others pays it to you. If not, you pay each of them."
            ),
            value=figure("game value"),
        ),
        ask(
            sentence(
                "Get rid of weak cards while you can win the lead back. The bombs stay together, so your weakest "
                "single is {seven}: lead it.",
            ),
            seven=held("7♥"),
        ),
        "Play 7♥ | Play 10 10♦ | Pass | Pass",
        explain(
            sentence(
                "Ada beat it with {ten}, Bela and Cleo passed. Who passes may still play later in the round. You win "
                "the lead back with {ace}."
            ),
            ten=lying("10♦"),
            ace=held("A♣"),
        ),
        "Play A A♣ | Pass | Pass | Pass",
        explain(
            sentence(
                "All passed: only a bomb beats an ace. You lead again, your last weak single, {nine}. You still hold "
                "the other ace."
            ),
            nine=held("9♣"),
        ),
        "Play 9♣ | Play Q♦ | Pass | Pass | Play A♦ | Pass | Pass | Pass",
        explain(
            sentence(
                "You hold {number} cards, two bombs. Lead the lower one: a bomb is beaten only by a higher triple, or "
                "by four alike."
            ),
            number=figure("cards", 0),
        ),
        "Play 4♣ 4♦ 4♥ | Pass | Play J♣ J♥ J♠",
        explain(
            sentence("Bela has a higher bomb: {jacks}. Your sixes are too low for it. Pass, and wait for a chance."),
            jacks=lying("J♣", "J♥", "J♠"),
        ),
        "Pass | Pass | Pass | Play K♦ K♥ Q♣ Q♠ | Play 9♦ 9♥ 9♠",
        explain(
            sentence(
                "Bela led a double sequence, two pairs in a row. Cleo beat it with a bomb, {nines}, also higher than "
                "yours. Pass once more."
            ),
            nines=lying("9♦", "9♥", "9♠"),
        ),
        "Pass | Pass | Pass | Play 10♣ 10♥",
        ask(
            sentence(
                "Cleo leads a pair, {tens}. A bomb beats any pair: this is your chance. Play {sixes}.",
            ),
            tens=lying("10♣", "10♥"),
            sixes=held("6♣", "6♦", "6♠"),
        ),
        "Play 6♣ 6♦ 6♠",
        explain(
            sentence(
                "You have no cards left: the deal is won, and each of the others pays. Your score is {own}. The "
                "highest total after the last deal wins the match."
            ),
            own=figure("score", 0),
        ),
    ),
)
"""A hand with two bombs and two aces, declared and won."""
