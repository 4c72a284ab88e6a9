package org.ordago.bot;

import java.util.List;

/** The card tables. Written by tools/facts from proto/cards.json: do not edit. */
final class Facts {
    static final List<SuitFacts> SUITS = List.of(
            new SuitFacts(1, "clubs", "♣"),
            new SuitFacts(2, "diamonds", "♦"),
            new SuitFacts(3, "hearts", "♥"),
            new SuitFacts(4, "spades", "♠"),
            new SuitFacts(5, "trumps", "T"),
            new SuitFacts(6, "oros", "o"),
            new SuitFacts(7, "copas", "c"),
            new SuitFacts(8, "espadas", "e"),
            new SuitFacts(9, "bastos", "b"));

    static final List<CardFacts> CARDS = List.of(
            new CardFacts(1, "ace of clubs", "A♣", 1, 1),
            new CardFacts(2, "two of clubs", "2♣", 1, 2),
            new CardFacts(3, "three of clubs", "3♣", 1, 3),
            new CardFacts(4, "four of clubs", "4♣", 1, 4),
            new CardFacts(5, "five of clubs", "5♣", 1, 5),
            new CardFacts(6, "six of clubs", "6♣", 1, 6),
            new CardFacts(7, "seven of clubs", "7♣", 1, 7),
            new CardFacts(8, "eight of clubs", "8♣", 1, 8),
            new CardFacts(9, "nine of clubs", "9♣", 1, 9),
            new CardFacts(10, "ten of clubs", "10♣", 1, 10),
            new CardFacts(11, "jack of clubs", "J♣", 1, 11),
            new CardFacts(12, "knight of clubs", "C♣", 1, 12),
            new CardFacts(13, "queen of clubs", "Q♣", 1, 13),
            new CardFacts(14, "king of clubs", "K♣", 1, 14),
            new CardFacts(15, "ace of diamonds", "A♦", 2, 1),
            new CardFacts(16, "two of diamonds", "2♦", 2, 2),
            new CardFacts(17, "three of diamonds", "3♦", 2, 3),
            new CardFacts(18, "four of diamonds", "4♦", 2, 4),
            new CardFacts(19, "five of diamonds", "5♦", 2, 5),
            new CardFacts(20, "six of diamonds", "6♦", 2, 6),
            new CardFacts(21, "seven of diamonds", "7♦", 2, 7),
            new CardFacts(22, "eight of diamonds", "8♦", 2, 8),
            new CardFacts(23, "nine of diamonds", "9♦", 2, 9),
            new CardFacts(24, "ten of diamonds", "10♦", 2, 10),
            new CardFacts(25, "jack of diamonds", "J♦", 2, 11),
            new CardFacts(26, "knight of diamonds", "C♦", 2, 12),
            new CardFacts(27, "queen of diamonds", "Q♦", 2, 13),
            new CardFacts(28, "king of diamonds", "K♦", 2, 14),
            new CardFacts(29, "ace of hearts", "A♥", 3, 1),
            new CardFacts(30, "two of hearts", "2♥", 3, 2),
            new CardFacts(31, "three of hearts", "3♥", 3, 3),
            new CardFacts(32, "four of hearts", "4♥", 3, 4),
            new CardFacts(33, "five of hearts", "5♥", 3, 5),
            new CardFacts(34, "six of hearts", "6♥", 3, 6),
            new CardFacts(35, "seven of hearts", "7♥", 3, 7),
            new CardFacts(36, "eight of hearts", "8♥", 3, 8),
            new CardFacts(37, "nine of hearts", "9♥", 3, 9),
            new CardFacts(38, "ten of hearts", "10♥", 3, 10),
            new CardFacts(39, "jack of hearts", "J♥", 3, 11),
            new CardFacts(40, "knight of hearts", "C♥", 3, 12),
            new CardFacts(41, "queen of hearts", "Q♥", 3, 13),
            new CardFacts(42, "king of hearts", "K♥", 3, 14),
            new CardFacts(43, "ace of spades", "A♠", 4, 1),
            new CardFacts(44, "two of spades", "2♠", 4, 2),
            new CardFacts(45, "three of spades", "3♠", 4, 3),
            new CardFacts(46, "four of spades", "4♠", 4, 4),
            new CardFacts(47, "five of spades", "5♠", 4, 5),
            new CardFacts(48, "six of spades", "6♠", 4, 6),
            new CardFacts(49, "seven of spades", "7♠", 4, 7),
            new CardFacts(50, "eight of spades", "8♠", 4, 8),
            new CardFacts(51, "nine of spades", "9♠", 4, 9),
            new CardFacts(52, "ten of spades", "10♠", 4, 10),
            new CardFacts(53, "jack of spades", "J♠", 4, 11),
            new CardFacts(54, "knight of spades", "C♠", 4, 12),
            new CardFacts(55, "queen of spades", "Q♠", 4, 13),
            new CardFacts(56, "king of spades", "K♠", 4, 14),
            new CardFacts(57, "trump I", "I", 5, 1),
            new CardFacts(58, "trump II", "II", 5, 2),
            new CardFacts(59, "trump III", "III", 5, 3),
            new CardFacts(60, "trump IV", "IV", 5, 4),
            new CardFacts(61, "trump V", "V", 5, 5),
            new CardFacts(62, "trump VI", "VI", 5, 6),
            new CardFacts(63, "trump VII", "VII", 5, 7),
            new CardFacts(64, "trump VIII", "VIII", 5, 8),
            new CardFacts(65, "trump IX", "IX", 5, 9),
            new CardFacts(66, "trump X", "X", 5, 10),
            new CardFacts(67, "trump XI", "XI", 5, 11),
            new CardFacts(68, "trump XII", "XII", 5, 12),
            new CardFacts(69, "trump XIII", "XIII", 5, 13),
            new CardFacts(70, "trump XIV", "XIV", 5, 14),
            new CardFacts(71, "trump XV", "XV", 5, 15),
            new CardFacts(72, "trump XVI", "XVI", 5, 16),
            new CardFacts(73, "trump XVII", "XVII", 5, 17),
            new CardFacts(74, "trump XVIII", "XVIII", 5, 18),
            new CardFacts(75, "trump XIX", "XIX", 5, 19),
            new CardFacts(76, "trump XX", "XX", 5, 20),
            new CardFacts(77, "trump XXI", "XXI", 5, 21),
            new CardFacts(78, "Fool", "O", 0, 0),
            new CardFacts(79, "ace of oros", "Ao", 6, 1),
            new CardFacts(80, "two of oros", "2o", 6, 2),
            new CardFacts(81, "three of oros", "3o", 6, 3),
            new CardFacts(82, "four of oros", "4o", 6, 4),
            new CardFacts(83, "five of oros", "5o", 6, 5),
            new CardFacts(84, "six of oros", "6o", 6, 6),
            new CardFacts(85, "seven of oros", "7o", 6, 7),
            new CardFacts(86, "sota of oros", "So", 6, 8),
            new CardFacts(87, "caballo of oros", "Co", 6, 9),
            new CardFacts(88, "rey of oros", "Ro", 6, 10),
            new CardFacts(89, "ace of copas", "Ac", 7, 1),
            new CardFacts(90, "two of copas", "2c", 7, 2),
            new CardFacts(91, "three of copas", "3c", 7, 3),
            new CardFacts(92, "four of copas", "4c", 7, 4),
            new CardFacts(93, "five of copas", "5c", 7, 5),
            new CardFacts(94, "six of copas", "6c", 7, 6),
            new CardFacts(95, "seven of copas", "7c", 7, 7),
            new CardFacts(96, "sota of copas", "Sc", 7, 8),
            new CardFacts(97, "caballo of copas", "Cc", 7, 9),
            new CardFacts(98, "rey of copas", "Rc", 7, 10),
            new CardFacts(99, "ace of espadas", "Ae", 8, 1),
            new CardFacts(100, "two of espadas", "2e", 8, 2),
            new CardFacts(101, "three of espadas", "3e", 8, 3),
            new CardFacts(102, "four of espadas", "4e", 8, 4),
            new CardFacts(103, "five of espadas", "5e", 8, 5),
            new CardFacts(104, "six of espadas", "6e", 8, 6),
            new CardFacts(105, "seven of espadas", "7e", 8, 7),
            new CardFacts(106, "sota of espadas", "Se", 8, 8),
            new CardFacts(107, "caballo of espadas", "Ce", 8, 9),
            new CardFacts(108, "rey of espadas", "Re", 8, 10),
            new CardFacts(109, "ace of bastos", "Ab", 9, 1),
            new CardFacts(110, "two of bastos", "2b", 9, 2),
            new CardFacts(111, "three of bastos", "3b", 9, 3),
            new CardFacts(112, "four of bastos", "4b", 9, 4),
            new CardFacts(113, "five of bastos", "5b", 9, 5),
            new CardFacts(114, "six of bastos", "6b", 9, 6),
            new CardFacts(115, "seven of bastos", "7b", 9, 7),
            new CardFacts(116, "sota of bastos", "Sb", 9, 8),
            new CardFacts(117, "caballo of bastos", "Cb", 9, 9),
            new CardFacts(118, "rey of bastos", "Rb", 9, 10));

    static final List<GameFacts> GAMES = List.of(
            new GameFacts(
                    "mus",
                    "Mus",
                    new int[] {79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118},
                    new int[] {88, 98, 108, 118, 87, 97, 107, 117, 86, 96, 106, 116, 85, 95, 105, 115, 84, 94, 104, 114, 83, 93, 103, 113, 82, 92, 102, 112, 81, 91, 101, 111, 80, 90, 100, 110, 79, 89, 99, 109},
                    List.of(
                            new ValuesFacts(
                                    "eight_kings",
                                    "with eight kings: a three stands for a rey and a two for an ace; points are what it counts for juego and punto",
                                    "all cards",
                                    new int[] {0, 0, 7, 1, 2, 3, 4, 5, 6, 7, 0, 0, 7, 1, 2, 3, 4, 5, 6, 7, 0, 0, 7, 1, 2, 3, 4, 5, 6, 7, 0, 0, 7, 1, 2, 3, 4, 5, 6, 7},
                                    new int[] {1, 1, 10, 4, 5, 6, 7, 10, 10, 10, 1, 1, 10, 4, 5, 6, 7, 10, 10, 10, 1, 1, 10, 4, 5, 6, 7, 10, 10, 10, 1, 1, 10, 4, 5, 6, 7, 10, 10, 10}),
                            new ValuesFacts(
                                    "four_kings",
                                    "with four kings: each rank for itself; points are what it counts for juego and punto",
                                    "all cards",
                                    new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
                                    new int[] {1, 2, 3, 4, 5, 6, 7, 10, 10, 10, 1, 2, 3, 4, 5, 6, 7, 10, 10, 10, 1, 2, 3, 4, 5, 6, 7, 10, 10, 10, 1, 2, 3, 4, 5, 6, 7, 10, 10, 10}))),
            new GameFacts(
                    "mitaines",
                    "Mitaines",
                    new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 55, 56},
                    new int[] {11, 25, 39, 53, 1, 15, 29, 43, 14, 28, 42, 56, 13, 27, 41, 55, 10, 24, 38, 52, 9, 23, 37, 51, 8, 22, 36, 50, 7, 21, 35, 49, 6, 20, 34, 48, 5, 19, 33, 47, 4, 18, 32, 46, 3, 17, 31, 45, 2, 16, 30, 44},
                    List.of(
                            new ValuesFacts(
                                    "all",
                                    "always; points are what it counts for who clears it away",
                                    "all cards",
                                    new int[] {11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10},
                                    new int[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))),
            new GameFacts(
                    "mitigati",
                    "Mitigati",
                    new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78},
                    new int[] {14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 78},
                    List.of(
                            new ValuesFacts(
                                    "source",
                                    "with the ranking source: king high, ace low in all four suits; any trump beats any other suit, and the Fool nothing",
                                    "cards of one suit",
                                    new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 0},
                                    new int[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 4}),
                            new ValuesFacts(
                                    "piedmont",
                                    "with the ranking piedmont: the pips of hearts and diamonds run from the ace, high, down to the ten, and the XX beats the XXI; any trump beats any other suit, and the Fool nothing",
                                    "cards of one suit",
                                    new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 10, 11, 12, 13, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 19, 0},
                                    new int[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 4}))),
            new GameFacts(
                    "mittlere",
                    "Mittlere Jass",
                    new int[] {1, 6, 7, 8, 9, 10, 11, 13, 14, 15, 20, 21, 22, 23, 24, 25, 27, 28, 29, 34, 35, 36, 37, 38, 39, 41, 42, 43, 48, 49, 50, 51, 52, 53, 55, 56},
                    new int[] {1, 14, 13, 11, 10, 9, 8, 7, 6, 15, 28, 27, 25, 24, 23, 22, 21, 20, 29, 42, 41, 39, 38, 37, 36, 35, 34, 43, 56, 55, 53, 52, 51, 50, 49, 48},
                    List.of(
                            new ValuesFacts(
                                    "plain",
                                    "its suit is not the trump suit",
                                    "cards of one suit",
                                    new int[] {8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7},
                                    new int[] {11, 0, 0, 0, 0, 10, 2, 3, 4, 11, 0, 0, 0, 0, 10, 2, 3, 4, 11, 0, 0, 0, 0, 10, 2, 3, 4, 11, 0, 0, 0, 0, 10, 2, 3, 4}),
                            new ValuesFacts(
                                    "trump",
                                    "its suit is the trump suit",
                                    "cards of one suit",
                                    new int[] {6, 0, 1, 2, 7, 3, 8, 4, 5, 6, 0, 1, 2, 7, 3, 8, 4, 5, 6, 0, 1, 2, 7, 3, 8, 4, 5, 6, 0, 1, 2, 7, 3, 8, 4, 5},
                                    new int[] {11, 0, 0, 0, 14, 10, 20, 3, 4, 11, 0, 0, 0, 14, 10, 20, 3, 4, 11, 0, 0, 0, 14, 10, 20, 3, 4, 11, 0, 0, 0, 14, 10, 20, 3, 4}),
                            new ValuesFacts(
                                    "no_trump",
                                    "no trump was ever set in the deal that is scored",
                                    "cards of one suit",
                                    new int[] {8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7},
                                    new int[] {11, 0, 0, 8, 0, 10, 2, 3, 4, 11, 0, 0, 8, 0, 10, 2, 3, 4, 11, 0, 0, 8, 0, 10, 2, 3, 4, 11, 0, 0, 8, 0, 10, 2, 3, 4}))),
            new GameFacts(
                    "taihe",
                    "Taihe A Bao",
                    new int[] {1, 4, 5, 6, 7, 9, 10, 11, 13, 14, 15, 18, 19, 20, 21, 23, 24, 25, 27, 28, 29, 32, 33, 34, 35, 37, 38, 39, 41, 42, 43, 46, 47, 48, 49, 51, 52, 53, 55, 56},
                    new int[] {1, 15, 29, 43, 14, 28, 42, 56, 13, 27, 41, 55, 11, 25, 39, 53, 10, 24, 38, 52, 9, 23, 37, 51, 7, 21, 35, 49, 6, 20, 34, 48, 5, 19, 33, 47, 4, 18, 32, 46},
                    List.of(
                            new ValuesFacts(
                                    "all",
                                    "always; cards count nothing by themselves",
                                    "all cards",
                                    new int[] {9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8},
                                    new int[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))));

    private Facts() {}

    /** A suit: its number in the contract, its name and its symbol. */
    record SuitFacts(int suit, String name, String sign) {}

    /** A card: its code in the contract, its name, its symbol, its suit and its rank. */
    record CardFacts(int card, String name, String sign, int suit, int rank) {}

    /** A game: its pack, ascending by code, the same in the order of a sorted hand, and its values. */
    record GameFacts(String game, String title, int[] pack, int[] held, List<ValuesFacts> values) {}

    /** The values of the cards of a pack under a condition: heights and points in the order of the pack. */
    record ValuesFacts(String name, String when, String compares, int[] heights, int[] points) {}
}
