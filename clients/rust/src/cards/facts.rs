// Generated from proto/cards.json by tools/facts/rust.py: do not edit.

use super::{CardFacts, GameCards, Values};
use crate::v1::Suit;

pub(super) static GAMES: [&GameCards; 5] = [&MUS, &MITAINES, &MITIGATI, &MITTLERE, &TAIHE];

/// The cards of Mus. Their values are
///
/// - `eight_kings`: with eight kings: a three stands for a rey and a two for an ace; points are what it counts for juego and punto
/// - `four_kings`: with four kings: each rank for itself; points are what it counts for juego and punto
pub static MUS: GameCards = GameCards {
    game: "mus",
    title: "Mus",
    pack: &[79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118],
    held: &[88, 98, 108, 118, 87, 97, 107, 117, 86, 96, 106, 116, 85, 95, 105, 115, 84, 94, 104, 114, 83, 93, 103, 113, 82, 92, 102, 112, 81, 91, 101, 111, 80, 90, 100, 110, 79, 89, 99, 109],
    values: &[
        Values {
            name: "eight_kings",
            when: "with eight kings: a three stands for a rey and a two for an ace; points are what it counts for juego and punto",
            compares: "all cards",
            worth: &[(79, 0, 1), (80, 0, 1), (81, 7, 10), (82, 1, 4), (83, 2, 5), (84, 3, 6), (85, 4, 7), (86, 5, 10), (87, 6, 10), (88, 7, 10), (89, 0, 1), (90, 0, 1), (91, 7, 10), (92, 1, 4), (93, 2, 5), (94, 3, 6), (95, 4, 7), (96, 5, 10), (97, 6, 10), (98, 7, 10), (99, 0, 1), (100, 0, 1), (101, 7, 10), (102, 1, 4), (103, 2, 5), (104, 3, 6), (105, 4, 7), (106, 5, 10), (107, 6, 10), (108, 7, 10), (109, 0, 1), (110, 0, 1), (111, 7, 10), (112, 1, 4), (113, 2, 5), (114, 3, 6), (115, 4, 7), (116, 5, 10), (117, 6, 10), (118, 7, 10)],
        },
        Values {
            name: "four_kings",
            when: "with four kings: each rank for itself; points are what it counts for juego and punto",
            compares: "all cards",
            worth: &[(79, 0, 1), (80, 1, 2), (81, 2, 3), (82, 3, 4), (83, 4, 5), (84, 5, 6), (85, 6, 7), (86, 7, 10), (87, 8, 10), (88, 9, 10), (89, 0, 1), (90, 1, 2), (91, 2, 3), (92, 3, 4), (93, 4, 5), (94, 5, 6), (95, 6, 7), (96, 7, 10), (97, 8, 10), (98, 9, 10), (99, 0, 1), (100, 1, 2), (101, 2, 3), (102, 3, 4), (103, 4, 5), (104, 5, 6), (105, 6, 7), (106, 7, 10), (107, 8, 10), (108, 9, 10), (109, 0, 1), (110, 1, 2), (111, 2, 3), (112, 3, 4), (113, 4, 5), (114, 5, 6), (115, 6, 7), (116, 7, 10), (117, 8, 10), (118, 9, 10)],
        },
    ],
};

/// The cards of Mitaines. Their values are
///
/// - `all`: always; points are what it counts for who clears it away
pub static MITAINES: GameCards = GameCards {
    game: "mitaines",
    title: "Mitaines",
    pack: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 55, 56],
    held: &[11, 25, 39, 53, 1, 15, 29, 43, 14, 28, 42, 56, 13, 27, 41, 55, 10, 24, 38, 52, 9, 23, 37, 51, 8, 22, 36, 50, 7, 21, 35, 49, 6, 20, 34, 48, 5, 19, 33, 47, 4, 18, 32, 46, 3, 17, 31, 45, 2, 16, 30, 44],
    values: &[
        Values {
            name: "all",
            when: "always; points are what it counts for who clears it away",
            compares: "all cards",
            worth: &[(1, 11, 0), (2, 0, 0), (3, 1, 0), (4, 2, 0), (5, 3, 0), (6, 4, 0), (7, 5, 0), (8, 6, 0), (9, 7, 0), (10, 8, 0), (11, 12, 0), (13, 9, 0), (14, 10, 0), (15, 11, 0), (16, 0, 0), (17, 1, 0), (18, 2, 0), (19, 3, 0), (20, 4, 0), (21, 5, 0), (22, 6, 0), (23, 7, 0), (24, 8, 50), (25, 12, 0), (27, 9, 0), (28, 10, 0), (29, 11, 0), (30, 0, 0), (31, 1, 0), (32, 2, 0), (33, 3, 0), (34, 4, 0), (35, 5, 0), (36, 6, 0), (37, 7, 0), (38, 8, 0), (39, 12, 0), (41, 9, 0), (42, 10, 0), (43, 11, 0), (44, 0, 0), (45, 1, 0), (46, 2, 0), (47, 3, 0), (48, 4, 0), (49, 5, 0), (50, 6, 0), (51, 7, 0), (52, 8, 0), (53, 12, 0), (55, 9, 0), (56, 10, 0)],
        },
    ],
};

/// The cards of Mitigati. Their values are
///
/// - `source`: with the ranking source: king high, ace low in all four suits; any trump beats any other suit, and the Fool nothing
/// - `piedmont`: with the ranking piedmont: the pips of hearts and diamonds run from the ace, high, down to the ten, and the XX beats the XXI; any trump beats any other suit, and the Fool nothing
pub static MITIGATI: GameCards = GameCards {
    game: "mitigati",
    title: "Mitigati",
    pack: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78],
    held: &[14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 78],
    values: &[
        Values {
            name: "source",
            when: "with the ranking source: king high, ace low in all four suits; any trump beats any other suit, and the Fool nothing",
            compares: "cards of one suit",
            worth: &[(1, 0, 1), (2, 1, 1), (3, 2, 1), (4, 3, 1), (5, 4, 1), (6, 5, 1), (7, 6, 1), (8, 7, 1), (9, 8, 1), (10, 9, 1), (11, 10, 2), (12, 11, 3), (13, 12, 4), (14, 13, 5), (15, 0, 1), (16, 1, 1), (17, 2, 1), (18, 3, 1), (19, 4, 1), (20, 5, 1), (21, 6, 1), (22, 7, 1), (23, 8, 1), (24, 9, 1), (25, 10, 2), (26, 11, 3), (27, 12, 4), (28, 13, 5), (29, 0, 1), (30, 1, 1), (31, 2, 1), (32, 3, 1), (33, 4, 1), (34, 5, 1), (35, 6, 1), (36, 7, 1), (37, 8, 1), (38, 9, 1), (39, 10, 2), (40, 11, 3), (41, 12, 4), (42, 13, 5), (43, 0, 1), (44, 1, 1), (45, 2, 1), (46, 3, 1), (47, 4, 1), (48, 5, 1), (49, 6, 1), (50, 7, 1), (51, 8, 1), (52, 9, 1), (53, 10, 2), (54, 11, 3), (55, 12, 4), (56, 13, 5), (57, 0, 5), (58, 1, 1), (59, 2, 1), (60, 3, 1), (61, 4, 1), (62, 5, 1), (63, 6, 1), (64, 7, 1), (65, 8, 1), (66, 9, 1), (67, 10, 1), (68, 11, 1), (69, 12, 1), (70, 13, 1), (71, 14, 1), (72, 15, 1), (73, 16, 1), (74, 17, 1), (75, 18, 1), (76, 19, 1), (77, 20, 5), (78, 0, 4)],
        },
        Values {
            name: "piedmont",
            when: "with the ranking piedmont: the pips of hearts and diamonds run from the ace, high, down to the ten, and the XX beats the XXI; any trump beats any other suit, and the Fool nothing",
            compares: "cards of one suit",
            worth: &[(1, 0, 1), (2, 1, 1), (3, 2, 1), (4, 3, 1), (5, 4, 1), (6, 5, 1), (7, 6, 1), (8, 7, 1), (9, 8, 1), (10, 9, 1), (11, 10, 2), (12, 11, 3), (13, 12, 4), (14, 13, 5), (15, 9, 1), (16, 8, 1), (17, 7, 1), (18, 6, 1), (19, 5, 1), (20, 4, 1), (21, 3, 1), (22, 2, 1), (23, 1, 1), (24, 0, 1), (25, 10, 2), (26, 11, 3), (27, 12, 4), (28, 13, 5), (29, 9, 1), (30, 8, 1), (31, 7, 1), (32, 6, 1), (33, 5, 1), (34, 4, 1), (35, 3, 1), (36, 2, 1), (37, 1, 1), (38, 0, 1), (39, 10, 2), (40, 11, 3), (41, 12, 4), (42, 13, 5), (43, 0, 1), (44, 1, 1), (45, 2, 1), (46, 3, 1), (47, 4, 1), (48, 5, 1), (49, 6, 1), (50, 7, 1), (51, 8, 1), (52, 9, 1), (53, 10, 2), (54, 11, 3), (55, 12, 4), (56, 13, 5), (57, 0, 5), (58, 1, 1), (59, 2, 1), (60, 3, 1), (61, 4, 1), (62, 5, 1), (63, 6, 1), (64, 7, 1), (65, 8, 1), (66, 9, 1), (67, 10, 1), (68, 11, 1), (69, 12, 1), (70, 13, 1), (71, 14, 1), (72, 15, 1), (73, 16, 1), (74, 17, 1), (75, 18, 1), (76, 20, 1), (77, 19, 5), (78, 0, 4)],
        },
    ],
};

/// The cards of Mittlere Jass. Their values are
///
/// - `plain`: its suit is not the trump suit
/// - `trump`: its suit is the trump suit
/// - `no_trump`: no trump was ever set in the deal that is scored
pub static MITTLERE: GameCards = GameCards {
    game: "mittlere",
    title: "Mittlere Jass",
    pack: &[1, 6, 7, 8, 9, 10, 11, 13, 14, 15, 20, 21, 22, 23, 24, 25, 27, 28, 29, 34, 35, 36, 37, 38, 39, 41, 42, 43, 48, 49, 50, 51, 52, 53, 55, 56],
    held: &[1, 14, 13, 11, 10, 9, 8, 7, 6, 15, 28, 27, 25, 24, 23, 22, 21, 20, 29, 42, 41, 39, 38, 37, 36, 35, 34, 43, 56, 55, 53, 52, 51, 50, 49, 48],
    values: &[
        Values {
            name: "plain",
            when: "its suit is not the trump suit",
            compares: "cards of one suit",
            worth: &[(1, 8, 11), (6, 0, 0), (7, 1, 0), (8, 2, 0), (9, 3, 0), (10, 4, 10), (11, 5, 2), (13, 6, 3), (14, 7, 4), (15, 8, 11), (20, 0, 0), (21, 1, 0), (22, 2, 0), (23, 3, 0), (24, 4, 10), (25, 5, 2), (27, 6, 3), (28, 7, 4), (29, 8, 11), (34, 0, 0), (35, 1, 0), (36, 2, 0), (37, 3, 0), (38, 4, 10), (39, 5, 2), (41, 6, 3), (42, 7, 4), (43, 8, 11), (48, 0, 0), (49, 1, 0), (50, 2, 0), (51, 3, 0), (52, 4, 10), (53, 5, 2), (55, 6, 3), (56, 7, 4)],
        },
        Values {
            name: "trump",
            when: "its suit is the trump suit",
            compares: "cards of one suit",
            worth: &[(1, 6, 11), (6, 0, 0), (7, 1, 0), (8, 2, 0), (9, 7, 14), (10, 3, 10), (11, 8, 20), (13, 4, 3), (14, 5, 4), (15, 6, 11), (20, 0, 0), (21, 1, 0), (22, 2, 0), (23, 7, 14), (24, 3, 10), (25, 8, 20), (27, 4, 3), (28, 5, 4), (29, 6, 11), (34, 0, 0), (35, 1, 0), (36, 2, 0), (37, 7, 14), (38, 3, 10), (39, 8, 20), (41, 4, 3), (42, 5, 4), (43, 6, 11), (48, 0, 0), (49, 1, 0), (50, 2, 0), (51, 7, 14), (52, 3, 10), (53, 8, 20), (55, 4, 3), (56, 5, 4)],
        },
        Values {
            name: "no_trump",
            when: "no trump was ever set in the deal that is scored",
            compares: "cards of one suit",
            worth: &[(1, 8, 11), (6, 0, 0), (7, 1, 0), (8, 2, 8), (9, 3, 0), (10, 4, 10), (11, 5, 2), (13, 6, 3), (14, 7, 4), (15, 8, 11), (20, 0, 0), (21, 1, 0), (22, 2, 8), (23, 3, 0), (24, 4, 10), (25, 5, 2), (27, 6, 3), (28, 7, 4), (29, 8, 11), (34, 0, 0), (35, 1, 0), (36, 2, 8), (37, 3, 0), (38, 4, 10), (39, 5, 2), (41, 6, 3), (42, 7, 4), (43, 8, 11), (48, 0, 0), (49, 1, 0), (50, 2, 8), (51, 3, 0), (52, 4, 10), (53, 5, 2), (55, 6, 3), (56, 7, 4)],
        },
    ],
};

/// The cards of Taihe A Bao. Their values are
///
/// - `all`: always; cards count nothing by themselves
pub static TAIHE: GameCards = GameCards {
    game: "taihe",
    title: "Taihe A Bao",
    pack: &[1, 4, 5, 6, 7, 9, 10, 11, 13, 14, 15, 18, 19, 20, 21, 23, 24, 25, 27, 28, 29, 32, 33, 34, 35, 37, 38, 39, 41, 42, 43, 46, 47, 48, 49, 51, 52, 53, 55, 56],
    held: &[1, 15, 29, 43, 14, 28, 42, 56, 13, 27, 41, 55, 11, 25, 39, 53, 10, 24, 38, 52, 9, 23, 37, 51, 7, 21, 35, 49, 6, 20, 34, 48, 5, 19, 33, 47, 4, 18, 32, 46],
    values: &[
        Values {
            name: "all",
            when: "always; cards count nothing by themselves",
            compares: "all cards",
            worth: &[(1, 9, 0), (4, 0, 0), (5, 1, 0), (6, 2, 0), (7, 3, 0), (9, 4, 0), (10, 5, 0), (11, 6, 0), (13, 7, 0), (14, 8, 0), (15, 9, 0), (18, 0, 0), (19, 1, 0), (20, 2, 0), (21, 3, 0), (23, 4, 0), (24, 5, 0), (25, 6, 0), (27, 7, 0), (28, 8, 0), (29, 9, 0), (32, 0, 0), (33, 1, 0), (34, 2, 0), (35, 3, 0), (37, 4, 0), (38, 5, 0), (39, 6, 0), (41, 7, 0), (42, 8, 0), (43, 9, 0), (46, 0, 0), (47, 1, 0), (48, 2, 0), (49, 3, 0), (51, 4, 0), (52, 5, 0), (53, 6, 0), (55, 7, 0), (56, 8, 0)],
        },
    ],
};

pub(super) static CARDS: [CardFacts; 118] = [
    CardFacts { card: 1, suit: Some(Suit::Clubs), rank: 1, sign: "A♣", name: "ace of clubs" },
    CardFacts { card: 2, suit: Some(Suit::Clubs), rank: 2, sign: "2♣", name: "two of clubs" },
    CardFacts { card: 3, suit: Some(Suit::Clubs), rank: 3, sign: "3♣", name: "three of clubs" },
    CardFacts { card: 4, suit: Some(Suit::Clubs), rank: 4, sign: "4♣", name: "four of clubs" },
    CardFacts { card: 5, suit: Some(Suit::Clubs), rank: 5, sign: "5♣", name: "five of clubs" },
    CardFacts { card: 6, suit: Some(Suit::Clubs), rank: 6, sign: "6♣", name: "six of clubs" },
    CardFacts { card: 7, suit: Some(Suit::Clubs), rank: 7, sign: "7♣", name: "seven of clubs" },
    CardFacts { card: 8, suit: Some(Suit::Clubs), rank: 8, sign: "8♣", name: "eight of clubs" },
    CardFacts { card: 9, suit: Some(Suit::Clubs), rank: 9, sign: "9♣", name: "nine of clubs" },
    CardFacts { card: 10, suit: Some(Suit::Clubs), rank: 10, sign: "10♣", name: "ten of clubs" },
    CardFacts { card: 11, suit: Some(Suit::Clubs), rank: 11, sign: "J♣", name: "jack of clubs" },
    CardFacts { card: 12, suit: Some(Suit::Clubs), rank: 12, sign: "C♣", name: "knight of clubs" },
    CardFacts { card: 13, suit: Some(Suit::Clubs), rank: 13, sign: "Q♣", name: "queen of clubs" },
    CardFacts { card: 14, suit: Some(Suit::Clubs), rank: 14, sign: "K♣", name: "king of clubs" },
    CardFacts { card: 15, suit: Some(Suit::Diamonds), rank: 1, sign: "A♦", name: "ace of diamonds" },
    CardFacts { card: 16, suit: Some(Suit::Diamonds), rank: 2, sign: "2♦", name: "two of diamonds" },
    CardFacts { card: 17, suit: Some(Suit::Diamonds), rank: 3, sign: "3♦", name: "three of diamonds" },
    CardFacts { card: 18, suit: Some(Suit::Diamonds), rank: 4, sign: "4♦", name: "four of diamonds" },
    CardFacts { card: 19, suit: Some(Suit::Diamonds), rank: 5, sign: "5♦", name: "five of diamonds" },
    CardFacts { card: 20, suit: Some(Suit::Diamonds), rank: 6, sign: "6♦", name: "six of diamonds" },
    CardFacts { card: 21, suit: Some(Suit::Diamonds), rank: 7, sign: "7♦", name: "seven of diamonds" },
    CardFacts { card: 22, suit: Some(Suit::Diamonds), rank: 8, sign: "8♦", name: "eight of diamonds" },
    CardFacts { card: 23, suit: Some(Suit::Diamonds), rank: 9, sign: "9♦", name: "nine of diamonds" },
    CardFacts { card: 24, suit: Some(Suit::Diamonds), rank: 10, sign: "10♦", name: "ten of diamonds" },
    CardFacts { card: 25, suit: Some(Suit::Diamonds), rank: 11, sign: "J♦", name: "jack of diamonds" },
    CardFacts { card: 26, suit: Some(Suit::Diamonds), rank: 12, sign: "C♦", name: "knight of diamonds" },
    CardFacts { card: 27, suit: Some(Suit::Diamonds), rank: 13, sign: "Q♦", name: "queen of diamonds" },
    CardFacts { card: 28, suit: Some(Suit::Diamonds), rank: 14, sign: "K♦", name: "king of diamonds" },
    CardFacts { card: 29, suit: Some(Suit::Hearts), rank: 1, sign: "A♥", name: "ace of hearts" },
    CardFacts { card: 30, suit: Some(Suit::Hearts), rank: 2, sign: "2♥", name: "two of hearts" },
    CardFacts { card: 31, suit: Some(Suit::Hearts), rank: 3, sign: "3♥", name: "three of hearts" },
    CardFacts { card: 32, suit: Some(Suit::Hearts), rank: 4, sign: "4♥", name: "four of hearts" },
    CardFacts { card: 33, suit: Some(Suit::Hearts), rank: 5, sign: "5♥", name: "five of hearts" },
    CardFacts { card: 34, suit: Some(Suit::Hearts), rank: 6, sign: "6♥", name: "six of hearts" },
    CardFacts { card: 35, suit: Some(Suit::Hearts), rank: 7, sign: "7♥", name: "seven of hearts" },
    CardFacts { card: 36, suit: Some(Suit::Hearts), rank: 8, sign: "8♥", name: "eight of hearts" },
    CardFacts { card: 37, suit: Some(Suit::Hearts), rank: 9, sign: "9♥", name: "nine of hearts" },
    CardFacts { card: 38, suit: Some(Suit::Hearts), rank: 10, sign: "10♥", name: "ten of hearts" },
    CardFacts { card: 39, suit: Some(Suit::Hearts), rank: 11, sign: "J♥", name: "jack of hearts" },
    CardFacts { card: 40, suit: Some(Suit::Hearts), rank: 12, sign: "C♥", name: "knight of hearts" },
    CardFacts { card: 41, suit: Some(Suit::Hearts), rank: 13, sign: "Q♥", name: "queen of hearts" },
    CardFacts { card: 42, suit: Some(Suit::Hearts), rank: 14, sign: "K♥", name: "king of hearts" },
    CardFacts { card: 43, suit: Some(Suit::Spades), rank: 1, sign: "A♠", name: "ace of spades" },
    CardFacts { card: 44, suit: Some(Suit::Spades), rank: 2, sign: "2♠", name: "two of spades" },
    CardFacts { card: 45, suit: Some(Suit::Spades), rank: 3, sign: "3♠", name: "three of spades" },
    CardFacts { card: 46, suit: Some(Suit::Spades), rank: 4, sign: "4♠", name: "four of spades" },
    CardFacts { card: 47, suit: Some(Suit::Spades), rank: 5, sign: "5♠", name: "five of spades" },
    CardFacts { card: 48, suit: Some(Suit::Spades), rank: 6, sign: "6♠", name: "six of spades" },
    CardFacts { card: 49, suit: Some(Suit::Spades), rank: 7, sign: "7♠", name: "seven of spades" },
    CardFacts { card: 50, suit: Some(Suit::Spades), rank: 8, sign: "8♠", name: "eight of spades" },
    CardFacts { card: 51, suit: Some(Suit::Spades), rank: 9, sign: "9♠", name: "nine of spades" },
    CardFacts { card: 52, suit: Some(Suit::Spades), rank: 10, sign: "10♠", name: "ten of spades" },
    CardFacts { card: 53, suit: Some(Suit::Spades), rank: 11, sign: "J♠", name: "jack of spades" },
    CardFacts { card: 54, suit: Some(Suit::Spades), rank: 12, sign: "C♠", name: "knight of spades" },
    CardFacts { card: 55, suit: Some(Suit::Spades), rank: 13, sign: "Q♠", name: "queen of spades" },
    CardFacts { card: 56, suit: Some(Suit::Spades), rank: 14, sign: "K♠", name: "king of spades" },
    CardFacts { card: 57, suit: Some(Suit::Trumps), rank: 1, sign: "I", name: "trump I" },
    CardFacts { card: 58, suit: Some(Suit::Trumps), rank: 2, sign: "II", name: "trump II" },
    CardFacts { card: 59, suit: Some(Suit::Trumps), rank: 3, sign: "III", name: "trump III" },
    CardFacts { card: 60, suit: Some(Suit::Trumps), rank: 4, sign: "IV", name: "trump IV" },
    CardFacts { card: 61, suit: Some(Suit::Trumps), rank: 5, sign: "V", name: "trump V" },
    CardFacts { card: 62, suit: Some(Suit::Trumps), rank: 6, sign: "VI", name: "trump VI" },
    CardFacts { card: 63, suit: Some(Suit::Trumps), rank: 7, sign: "VII", name: "trump VII" },
    CardFacts { card: 64, suit: Some(Suit::Trumps), rank: 8, sign: "VIII", name: "trump VIII" },
    CardFacts { card: 65, suit: Some(Suit::Trumps), rank: 9, sign: "IX", name: "trump IX" },
    CardFacts { card: 66, suit: Some(Suit::Trumps), rank: 10, sign: "X", name: "trump X" },
    CardFacts { card: 67, suit: Some(Suit::Trumps), rank: 11, sign: "XI", name: "trump XI" },
    CardFacts { card: 68, suit: Some(Suit::Trumps), rank: 12, sign: "XII", name: "trump XII" },
    CardFacts { card: 69, suit: Some(Suit::Trumps), rank: 13, sign: "XIII", name: "trump XIII" },
    CardFacts { card: 70, suit: Some(Suit::Trumps), rank: 14, sign: "XIV", name: "trump XIV" },
    CardFacts { card: 71, suit: Some(Suit::Trumps), rank: 15, sign: "XV", name: "trump XV" },
    CardFacts { card: 72, suit: Some(Suit::Trumps), rank: 16, sign: "XVI", name: "trump XVI" },
    CardFacts { card: 73, suit: Some(Suit::Trumps), rank: 17, sign: "XVII", name: "trump XVII" },
    CardFacts { card: 74, suit: Some(Suit::Trumps), rank: 18, sign: "XVIII", name: "trump XVIII" },
    CardFacts { card: 75, suit: Some(Suit::Trumps), rank: 19, sign: "XIX", name: "trump XIX" },
    CardFacts { card: 76, suit: Some(Suit::Trumps), rank: 20, sign: "XX", name: "trump XX" },
    CardFacts { card: 77, suit: Some(Suit::Trumps), rank: 21, sign: "XXI", name: "trump XXI" },
    CardFacts { card: 78, suit: None, rank: 0, sign: "O", name: "Fool" },
    CardFacts { card: 79, suit: Some(Suit::Oros), rank: 1, sign: "Ao", name: "ace of oros" },
    CardFacts { card: 80, suit: Some(Suit::Oros), rank: 2, sign: "2o", name: "two of oros" },
    CardFacts { card: 81, suit: Some(Suit::Oros), rank: 3, sign: "3o", name: "three of oros" },
    CardFacts { card: 82, suit: Some(Suit::Oros), rank: 4, sign: "4o", name: "four of oros" },
    CardFacts { card: 83, suit: Some(Suit::Oros), rank: 5, sign: "5o", name: "five of oros" },
    CardFacts { card: 84, suit: Some(Suit::Oros), rank: 6, sign: "6o", name: "six of oros" },
    CardFacts { card: 85, suit: Some(Suit::Oros), rank: 7, sign: "7o", name: "seven of oros" },
    CardFacts { card: 86, suit: Some(Suit::Oros), rank: 8, sign: "So", name: "sota of oros" },
    CardFacts { card: 87, suit: Some(Suit::Oros), rank: 9, sign: "Co", name: "caballo of oros" },
    CardFacts { card: 88, suit: Some(Suit::Oros), rank: 10, sign: "Ro", name: "rey of oros" },
    CardFacts { card: 89, suit: Some(Suit::Copas), rank: 1, sign: "Ac", name: "ace of copas" },
    CardFacts { card: 90, suit: Some(Suit::Copas), rank: 2, sign: "2c", name: "two of copas" },
    CardFacts { card: 91, suit: Some(Suit::Copas), rank: 3, sign: "3c", name: "three of copas" },
    CardFacts { card: 92, suit: Some(Suit::Copas), rank: 4, sign: "4c", name: "four of copas" },
    CardFacts { card: 93, suit: Some(Suit::Copas), rank: 5, sign: "5c", name: "five of copas" },
    CardFacts { card: 94, suit: Some(Suit::Copas), rank: 6, sign: "6c", name: "six of copas" },
    CardFacts { card: 95, suit: Some(Suit::Copas), rank: 7, sign: "7c", name: "seven of copas" },
    CardFacts { card: 96, suit: Some(Suit::Copas), rank: 8, sign: "Sc", name: "sota of copas" },
    CardFacts { card: 97, suit: Some(Suit::Copas), rank: 9, sign: "Cc", name: "caballo of copas" },
    CardFacts { card: 98, suit: Some(Suit::Copas), rank: 10, sign: "Rc", name: "rey of copas" },
    CardFacts { card: 99, suit: Some(Suit::Espadas), rank: 1, sign: "Ae", name: "ace of espadas" },
    CardFacts { card: 100, suit: Some(Suit::Espadas), rank: 2, sign: "2e", name: "two of espadas" },
    CardFacts { card: 101, suit: Some(Suit::Espadas), rank: 3, sign: "3e", name: "three of espadas" },
    CardFacts { card: 102, suit: Some(Suit::Espadas), rank: 4, sign: "4e", name: "four of espadas" },
    CardFacts { card: 103, suit: Some(Suit::Espadas), rank: 5, sign: "5e", name: "five of espadas" },
    CardFacts { card: 104, suit: Some(Suit::Espadas), rank: 6, sign: "6e", name: "six of espadas" },
    CardFacts { card: 105, suit: Some(Suit::Espadas), rank: 7, sign: "7e", name: "seven of espadas" },
    CardFacts { card: 106, suit: Some(Suit::Espadas), rank: 8, sign: "Se", name: "sota of espadas" },
    CardFacts { card: 107, suit: Some(Suit::Espadas), rank: 9, sign: "Ce", name: "caballo of espadas" },
    CardFacts { card: 108, suit: Some(Suit::Espadas), rank: 10, sign: "Re", name: "rey of espadas" },
    CardFacts { card: 109, suit: Some(Suit::Bastos), rank: 1, sign: "Ab", name: "ace of bastos" },
    CardFacts { card: 110, suit: Some(Suit::Bastos), rank: 2, sign: "2b", name: "two of bastos" },
    CardFacts { card: 111, suit: Some(Suit::Bastos), rank: 3, sign: "3b", name: "three of bastos" },
    CardFacts { card: 112, suit: Some(Suit::Bastos), rank: 4, sign: "4b", name: "four of bastos" },
    CardFacts { card: 113, suit: Some(Suit::Bastos), rank: 5, sign: "5b", name: "five of bastos" },
    CardFacts { card: 114, suit: Some(Suit::Bastos), rank: 6, sign: "6b", name: "six of bastos" },
    CardFacts { card: 115, suit: Some(Suit::Bastos), rank: 7, sign: "7b", name: "seven of bastos" },
    CardFacts { card: 116, suit: Some(Suit::Bastos), rank: 8, sign: "Sb", name: "sota of bastos" },
    CardFacts { card: 117, suit: Some(Suit::Bastos), rank: 9, sign: "Cb", name: "caballo of bastos" },
    CardFacts { card: 118, suit: Some(Suit::Bastos), rank: 10, sign: "Rb", name: "rey of bastos" },
];
