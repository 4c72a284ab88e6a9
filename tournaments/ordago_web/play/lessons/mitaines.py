"""The lesson of Mitaines."""

from typing import Final

from ordago.scene import sentence
from ordago_web.play.lessons.lesson import Lesson, ask, explain, figure, held, lying

LESSON: Final = Lesson(
    seats=2,
    options={"max_deals": 1},
    seed=4,
    script=(
        explain(
            sentence(
                "You are Kim. Four cards lie on the table: the pile. In turn you and Ada each play one card onto it. "
                "Only ranks count, suits do not."
            ),
        ),
        explain(
            sentence(
                "The last card of the pile is its top card: {top}. A card of the same rank would clear the pile. You "
                "have none, and no jack, which clears any pile."
            ),
            top=lying("4♦"),
        ),
        explain(
            sentence(
                "Points come from declarations: two cards of a rank are a mitten, three a glove, four a sock. You hold "
                "two tens, {tens}: declare a mitten with one, and play the other in your next turn."
            ),
            tens=held("10♣", "10♦"),
        ),
        ask(
            sentence(
                "{red} counts 50 for the player who clears it, so keep it back. Choose {black}, and declare a mitten "
                "of tens."
            ),
            red=held("10♦"),
            black=held("10♣"),
        ),
        "Play 10♣: mitten of tens",
        explain(
            sentence(
                "Your declaration stands: {declaration}. It only counts once all its cards are played, and Ada may "
                "steal it before."
            ),
            declaration=figure("declaration"),
        ),
        "Play J♥: mitten of jacks",
        explain(
            sentence(
                "Ada declares jacks with {jack}. Of two mittens the higher rank is stronger, and no rank is higher "
                "than jacks. So she steals yours: {declaration}."
            ),
            jack=lying("J♥"),
            declaration=figure("declaration"),
        ),
        explain(
            sentence(
                "Only a jack could stop her now, or a glove. All you can do is play something worth little. Keep {red}."
            ),
            red=held("10♦"),
        ),
        "Play K♣ | Play J♠",
        explain(
            sentence(
                "With her second jack Ada completes the mitten and clears the pile. She has {score} points: 50 for her "
                "jacks, 10 for your tens."
            ),
            score=figure("score", 1),
        ),
        "Play A♣ | Play 8♦ | Play 6♥ | Play 6♦",
        explain(
            sentence(
                "Without a declaration the top card decides. You played a six, Ada matched it and cleared the pile. "
                "That alone brings no points; she still has {score}."
            ),
            score=figure("score", 1),
        ),
        "Play 2♠ | Play 2♥",
        explain(
            sentence(
                "Your two lay alone on the table, and Ada matched it. A single card counts 10, so she has {score}. "
                "Lead a rank of which few cards are left."
            ),
            score=figure("score", 1),
        ),
        "Play 10♦ | Play 9♥",
        explain(
            sentence(
                "The hands were empty, so each of you got six new cards. {red} still lies in the pile: 50 points for "
                "the player who clears it."
            ),
            red=lying("10♦"),
        ),
        ask(
            sentence(
                "You hold two pairs: {sixes} and {fives}. Which mitten is harder to steal? The one of the higher rank. "
                "Declare it."
            ),
            sixes=held("6♣", "6♠"),
            fives=held("5♥", "5♠"),
        ),
        "Play 6♣: mitten of sixes | Play 2♦ | Play 6♠",
        explain(
            sentence(
                "Ada could not steal it. Your second six clears the pile: 10 for the mitten and 50 for the ten of "
                "diamonds. You have {score}."
            ),
            score=figure("score", 0),
        ),
        "Play 3♥ | Play 8♠ | Play 3♣ | Play A♦ | Play 5♦",
        ask(
            sentence(
                "Ada played {five}, and you hold {own}. You could clear at once. But the top card may count as one of "
                "three: declare an added glove of fives, for 100."
            ),
            five=lying("5♦"),
            own=held("5♥", "5♠"),
        ),
        "Play 5♥: added glove of fives",
        explain(
            sentence(
                "This stands: {declaration}. Ada needs a stronger glove or the last five. While a declaration stands, "
                "all other cards only lie on the pile, jacks too."
            ),
            declaration=figure("declaration"),
        ),
        "Play A♥ | Play 5♠",
        explain(
            sentence(
                "You have {own} points, Ada has {other}. So it goes on until the pack is used up; with 500 points a "
                "match is over. You know enough to play."
            ),
            own=figure("score", 0),
            other=figure("score", 1),
        ),
    ),
)
"""Tens that are stolen by jacks, then sixes with the ten of diamonds, then an added glove."""
