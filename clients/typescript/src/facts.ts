// Written from proto/cards.json by `make proto`; edits are lost.

/** All cards, by their codes. */
export const CARDS = {
  1: { suit: 1, rank: 1, sign: "A♣", name: "ace of clubs" },
  2: { suit: 1, rank: 2, sign: "2♣", name: "two of clubs" },
  3: { suit: 1, rank: 3, sign: "3♣", name: "three of clubs" },
  4: { suit: 1, rank: 4, sign: "4♣", name: "four of clubs" },
  5: { suit: 1, rank: 5, sign: "5♣", name: "five of clubs" },
  6: { suit: 1, rank: 6, sign: "6♣", name: "six of clubs" },
  7: { suit: 1, rank: 7, sign: "7♣", name: "seven of clubs" },
  8: { suit: 1, rank: 8, sign: "8♣", name: "eight of clubs" },
  9: { suit: 1, rank: 9, sign: "9♣", name: "nine of clubs" },
  10: { suit: 1, rank: 10, sign: "10♣", name: "ten of clubs" },
  11: { suit: 1, rank: 11, sign: "J♣", name: "jack of clubs" },
  12: { suit: 1, rank: 12, sign: "C♣", name: "knight of clubs" },
  13: { suit: 1, rank: 13, sign: "Q♣", name: "queen of clubs" },
  14: { suit: 1, rank: 14, sign: "K♣", name: "king of clubs" },
  15: { suit: 2, rank: 1, sign: "A♦", name: "ace of diamonds" },
  16: { suit: 2, rank: 2, sign: "2♦", name: "two of diamonds" },
  17: { suit: 2, rank: 3, sign: "3♦", name: "three of diamonds" },
  18: { suit: 2, rank: 4, sign: "4♦", name: "four of diamonds" },
  19: { suit: 2, rank: 5, sign: "5♦", name: "five of diamonds" },
  20: { suit: 2, rank: 6, sign: "6♦", name: "six of diamonds" },
  21: { suit: 2, rank: 7, sign: "7♦", name: "seven of diamonds" },
  22: { suit: 2, rank: 8, sign: "8♦", name: "eight of diamonds" },
  23: { suit: 2, rank: 9, sign: "9♦", name: "nine of diamonds" },
  24: { suit: 2, rank: 10, sign: "10♦", name: "ten of diamonds" },
  25: { suit: 2, rank: 11, sign: "J♦", name: "jack of diamonds" },
  26: { suit: 2, rank: 12, sign: "C♦", name: "knight of diamonds" },
  27: { suit: 2, rank: 13, sign: "Q♦", name: "queen of diamonds" },
  28: { suit: 2, rank: 14, sign: "K♦", name: "king of diamonds" },
  29: { suit: 3, rank: 1, sign: "A♥", name: "ace of hearts" },
  30: { suit: 3, rank: 2, sign: "2♥", name: "two of hearts" },
  31: { suit: 3, rank: 3, sign: "3♥", name: "three of hearts" },
  32: { suit: 3, rank: 4, sign: "4♥", name: "four of hearts" },
  33: { suit: 3, rank: 5, sign: "5♥", name: "five of hearts" },
  34: { suit: 3, rank: 6, sign: "6♥", name: "six of hearts" },
  35: { suit: 3, rank: 7, sign: "7♥", name: "seven of hearts" },
  36: { suit: 3, rank: 8, sign: "8♥", name: "eight of hearts" },
  37: { suit: 3, rank: 9, sign: "9♥", name: "nine of hearts" },
  38: { suit: 3, rank: 10, sign: "10♥", name: "ten of hearts" },
  39: { suit: 3, rank: 11, sign: "J♥", name: "jack of hearts" },
  40: { suit: 3, rank: 12, sign: "C♥", name: "knight of hearts" },
  41: { suit: 3, rank: 13, sign: "Q♥", name: "queen of hearts" },
  42: { suit: 3, rank: 14, sign: "K♥", name: "king of hearts" },
  43: { suit: 4, rank: 1, sign: "A♠", name: "ace of spades" },
  44: { suit: 4, rank: 2, sign: "2♠", name: "two of spades" },
  45: { suit: 4, rank: 3, sign: "3♠", name: "three of spades" },
  46: { suit: 4, rank: 4, sign: "4♠", name: "four of spades" },
  47: { suit: 4, rank: 5, sign: "5♠", name: "five of spades" },
  48: { suit: 4, rank: 6, sign: "6♠", name: "six of spades" },
  49: { suit: 4, rank: 7, sign: "7♠", name: "seven of spades" },
  50: { suit: 4, rank: 8, sign: "8♠", name: "eight of spades" },
  51: { suit: 4, rank: 9, sign: "9♠", name: "nine of spades" },
  52: { suit: 4, rank: 10, sign: "10♠", name: "ten of spades" },
  53: { suit: 4, rank: 11, sign: "J♠", name: "jack of spades" },
  54: { suit: 4, rank: 12, sign: "C♠", name: "knight of spades" },
  55: { suit: 4, rank: 13, sign: "Q♠", name: "queen of spades" },
  56: { suit: 4, rank: 14, sign: "K♠", name: "king of spades" },
  57: { suit: 5, rank: 1, sign: "I", name: "trump I" },
  58: { suit: 5, rank: 2, sign: "II", name: "trump II" },
  59: { suit: 5, rank: 3, sign: "III", name: "trump III" },
  60: { suit: 5, rank: 4, sign: "IV", name: "trump IV" },
  61: { suit: 5, rank: 5, sign: "V", name: "trump V" },
  62: { suit: 5, rank: 6, sign: "VI", name: "trump VI" },
  63: { suit: 5, rank: 7, sign: "VII", name: "trump VII" },
  64: { suit: 5, rank: 8, sign: "VIII", name: "trump VIII" },
  65: { suit: 5, rank: 9, sign: "IX", name: "trump IX" },
  66: { suit: 5, rank: 10, sign: "X", name: "trump X" },
  67: { suit: 5, rank: 11, sign: "XI", name: "trump XI" },
  68: { suit: 5, rank: 12, sign: "XII", name: "trump XII" },
  69: { suit: 5, rank: 13, sign: "XIII", name: "trump XIII" },
  70: { suit: 5, rank: 14, sign: "XIV", name: "trump XIV" },
  71: { suit: 5, rank: 15, sign: "XV", name: "trump XV" },
  72: { suit: 5, rank: 16, sign: "XVI", name: "trump XVI" },
  73: { suit: 5, rank: 17, sign: "XVII", name: "trump XVII" },
  74: { suit: 5, rank: 18, sign: "XVIII", name: "trump XVIII" },
  75: { suit: 5, rank: 19, sign: "XIX", name: "trump XIX" },
  76: { suit: 5, rank: 20, sign: "XX", name: "trump XX" },
  77: { suit: 5, rank: 21, sign: "XXI", name: "trump XXI" },
  78: { suit: 0, rank: 0, sign: "O", name: "Fool" },
  79: { suit: 6, rank: 1, sign: "Ao", name: "ace of oros" },
  80: { suit: 6, rank: 2, sign: "2o", name: "two of oros" },
  81: { suit: 6, rank: 3, sign: "3o", name: "three of oros" },
  82: { suit: 6, rank: 4, sign: "4o", name: "four of oros" },
  83: { suit: 6, rank: 5, sign: "5o", name: "five of oros" },
  84: { suit: 6, rank: 6, sign: "6o", name: "six of oros" },
  85: { suit: 6, rank: 7, sign: "7o", name: "seven of oros" },
  86: { suit: 6, rank: 8, sign: "So", name: "sota of oros" },
  87: { suit: 6, rank: 9, sign: "Co", name: "caballo of oros" },
  88: { suit: 6, rank: 10, sign: "Ro", name: "rey of oros" },
  89: { suit: 7, rank: 1, sign: "Ac", name: "ace of copas" },
  90: { suit: 7, rank: 2, sign: "2c", name: "two of copas" },
  91: { suit: 7, rank: 3, sign: "3c", name: "three of copas" },
  92: { suit: 7, rank: 4, sign: "4c", name: "four of copas" },
  93: { suit: 7, rank: 5, sign: "5c", name: "five of copas" },
  94: { suit: 7, rank: 6, sign: "6c", name: "six of copas" },
  95: { suit: 7, rank: 7, sign: "7c", name: "seven of copas" },
  96: { suit: 7, rank: 8, sign: "Sc", name: "sota of copas" },
  97: { suit: 7, rank: 9, sign: "Cc", name: "caballo of copas" },
  98: { suit: 7, rank: 10, sign: "Rc", name: "rey of copas" },
  99: { suit: 8, rank: 1, sign: "Ae", name: "ace of espadas" },
  100: { suit: 8, rank: 2, sign: "2e", name: "two of espadas" },
  101: { suit: 8, rank: 3, sign: "3e", name: "three of espadas" },
  102: { suit: 8, rank: 4, sign: "4e", name: "four of espadas" },
  103: { suit: 8, rank: 5, sign: "5e", name: "five of espadas" },
  104: { suit: 8, rank: 6, sign: "6e", name: "six of espadas" },
  105: { suit: 8, rank: 7, sign: "7e", name: "seven of espadas" },
  106: { suit: 8, rank: 8, sign: "Se", name: "sota of espadas" },
  107: { suit: 8, rank: 9, sign: "Ce", name: "caballo of espadas" },
  108: { suit: 8, rank: 10, sign: "Re", name: "rey of espadas" },
  109: { suit: 9, rank: 1, sign: "Ab", name: "ace of bastos" },
  110: { suit: 9, rank: 2, sign: "2b", name: "two of bastos" },
  111: { suit: 9, rank: 3, sign: "3b", name: "three of bastos" },
  112: { suit: 9, rank: 4, sign: "4b", name: "four of bastos" },
  113: { suit: 9, rank: 5, sign: "5b", name: "five of bastos" },
  114: { suit: 9, rank: 6, sign: "6b", name: "six of bastos" },
  115: { suit: 9, rank: 7, sign: "7b", name: "seven of bastos" },
  116: { suit: 9, rank: 8, sign: "Sb", name: "sota of bastos" },
  117: { suit: 9, rank: 9, sign: "Cb", name: "caballo of bastos" },
  118: { suit: 9, rank: 10, sign: "Rb", name: "rey of bastos" },
} as const;

/** The cards of Mus. */
export const MUS = {
  game: "mus",
  pack: [
    79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105,
    106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118,
  ],
  held: [
    88, 98, 108, 118, 87, 97, 107, 117, 86, 96, 106, 116, 85, 95, 105, 115, 84, 94, 104, 114, 83, 93, 103, 113, 82, 92,
    102, 112, 81, 91, 101, 111, 80, 90, 100, 110, 79, 89, 99, 109,
  ],
  values: {
    /**
     * With eight kings: a three stands for a rey and a two for an ace; points are what it counts for juego and punto.
     * Heights compare all cards.
     */
    eight_kings: {
      heights: [
        0, 0, 7, 1, 2, 3, 4, 5, 6, 7, 0, 0, 7, 1, 2, 3, 4, 5, 6, 7, 0, 0, 7, 1, 2, 3, 4, 5, 6, 7, 0, 0, 7, 1, 2, 3, 4,
        5, 6, 7,
      ],
      points: [
        1, 1, 10, 4, 5, 6, 7, 10, 10, 10, 1, 1, 10, 4, 5, 6, 7, 10, 10, 10, 1, 1, 10, 4, 5, 6, 7, 10, 10, 10, 1, 1, 10,
        4, 5, 6, 7, 10, 10, 10,
      ],
    },
    /**
     * With four kings: each rank for itself; points are what it counts for juego and punto. Heights compare all cards.
     */
    four_kings: {
      heights: [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6,
        7, 8, 9,
      ],
      points: [
        1, 2, 3, 4, 5, 6, 7, 10, 10, 10, 1, 2, 3, 4, 5, 6, 7, 10, 10, 10, 1, 2, 3, 4, 5, 6, 7, 10, 10, 10, 1, 2, 3, 4,
        5, 6, 7, 10, 10, 10,
      ],
    },
  },
} as const;

/** The cards of Mitaines. */
export const MITAINES = {
  game: "mitaines",
  pack: [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 28, 29, 30, 31, 32, 33,
    34, 35, 36, 37, 38, 39, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 55, 56,
  ],
  held: [
    11, 25, 39, 53, 1, 15, 29, 43, 14, 28, 42, 56, 13, 27, 41, 55, 10, 24, 38, 52, 9, 23, 37, 51, 8, 22, 36, 50, 7, 21,
    35, 49, 6, 20, 34, 48, 5, 19, 33, 47, 4, 18, 32, 46, 3, 17, 31, 45, 2, 16, 30, 44,
  ],
  values: {
    /**
     * Always; points are what it counts for who clears it away. Heights compare all cards.
     */
    all: {
      heights: [
        11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7,
        8, 12, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10,
      ],
      points: [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      ],
    },
  },
} as const;

/** The cards of Mitigati. */
export const MITIGATI = {
  game: "mitigati",
  pack: [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60,
    61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78,
  ],
  held: [
    14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 42, 41, 40,
    39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 77, 76, 75, 74,
    73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 78,
  ],
  values: {
    /**
     * With the ranking source: king high, ace low in all four suits; any trump beats any other suit, and the Fool
     * nothing. Heights compare cards of one suit.
     */
    source: {
      heights: [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6,
        7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
        13, 14, 15, 16, 17, 18, 19, 20, 0,
      ],
      points: [
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 5, 4,
      ],
    },
    /**
     * With the ranking piedmont: the pips of hearts and diamonds run from the ace, high, down to the ten, and the XX
     * beats the XXI; any trump beats any other suit, and the Fool nothing. Heights compare cards of one suit.
     */
    piedmont: {
      heights: [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 10, 11, 12, 13, 9, 8, 7, 6, 5, 4, 3,
        2, 1, 0, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
        13, 14, 15, 16, 17, 18, 20, 19, 0,
      ],
      points: [
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 5, 4,
      ],
    },
  },
} as const;

/** The cards of Mittlere Jass. */
export const MITTLERE = {
  game: "mittlere",
  pack: [
    1, 6, 7, 8, 9, 10, 11, 13, 14, 15, 20, 21, 22, 23, 24, 25, 27, 28, 29, 34, 35, 36, 37, 38, 39, 41, 42, 43, 48, 49,
    50, 51, 52, 53, 55, 56,
  ],
  held: [
    1, 14, 13, 11, 10, 9, 8, 7, 6, 15, 28, 27, 25, 24, 23, 22, 21, 20, 29, 42, 41, 39, 38, 37, 36, 35, 34, 43, 56, 55,
    53, 52, 51, 50, 49, 48,
  ],
  values: {
    /**
     * Its suit is not the trump suit. Heights compare cards of one suit.
     */
    plain: {
      heights: [
        8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7,
      ],
      points: [
        11, 0, 0, 0, 0, 10, 2, 3, 4, 11, 0, 0, 0, 0, 10, 2, 3, 4, 11, 0, 0, 0, 0, 10, 2, 3, 4, 11, 0, 0, 0, 0, 10, 2, 3,
        4,
      ],
    },
    /**
     * Its suit is the trump suit. Heights compare cards of one suit.
     */
    trump: {
      heights: [
        6, 0, 1, 2, 7, 3, 8, 4, 5, 6, 0, 1, 2, 7, 3, 8, 4, 5, 6, 0, 1, 2, 7, 3, 8, 4, 5, 6, 0, 1, 2, 7, 3, 8, 4, 5,
      ],
      points: [
        11, 0, 0, 0, 14, 10, 20, 3, 4, 11, 0, 0, 0, 14, 10, 20, 3, 4, 11, 0, 0, 0, 14, 10, 20, 3, 4, 11, 0, 0, 0, 14,
        10, 20, 3, 4,
      ],
    },
    /**
     * No trump was ever set in the deal that is scored. Heights compare cards of one suit.
     */
    no_trump: {
      heights: [
        8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7,
      ],
      points: [
        11, 0, 0, 8, 0, 10, 2, 3, 4, 11, 0, 0, 8, 0, 10, 2, 3, 4, 11, 0, 0, 8, 0, 10, 2, 3, 4, 11, 0, 0, 8, 0, 10, 2, 3,
        4,
      ],
    },
  },
} as const;

/** The cards of Taihe A Bao. */
export const TAIHE = {
  game: "taihe",
  pack: [
    1, 4, 5, 6, 7, 9, 10, 11, 13, 14, 15, 18, 19, 20, 21, 23, 24, 25, 27, 28, 29, 32, 33, 34, 35, 37, 38, 39, 41, 42,
    43, 46, 47, 48, 49, 51, 52, 53, 55, 56,
  ],
  held: [
    1, 15, 29, 43, 14, 28, 42, 56, 13, 27, 41, 55, 11, 25, 39, 53, 10, 24, 38, 52, 9, 23, 37, 51, 7, 21, 35, 49, 6, 20,
    34, 48, 5, 19, 33, 47, 4, 18, 32, 46,
  ],
  values: {
    /**
     * Always; cards count nothing by themselves. Heights compare all cards.
     */
    all: {
      heights: [
        9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5,
        6, 7, 8,
      ],
      points: [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0,
      ],
    },
  },
} as const;
