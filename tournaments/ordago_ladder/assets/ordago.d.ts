/** What the scripts of the pages share: each adds to the one global `ordago`. */

/** Cards that lie together. `seenBy` is a bit mask of seats; without it everybody sees the faces. */
interface Group {
  readonly cards: readonly number[];
  readonly title?: string;
  readonly seenBy?: number;
  readonly marked?: readonly number[];
  readonly stack?: boolean;
}

interface Figure {
  readonly title: string;
  readonly value: string;
  readonly stressed?: boolean;
  readonly kind?: "stones";
}

interface SeatScene {
  readonly hand: Group;
  readonly front: Group;
  readonly piles: { readonly [place: string]: Group };
  readonly said: string;
  readonly roles: readonly string[];
  readonly figures: readonly Figure[];
}

/** What lies on a table at a moment. */
interface Scene {
  readonly seats: { readonly [seat: string]: SeatScene };
  readonly table: { readonly [place: string]: Group };
  readonly figures: readonly Figure[];
}

interface Player {
  readonly name: string;
  readonly version?: string;
  readonly side?: number;
}

interface TableOptions {
  /** The pack whose faces the cards have: the name of a folder of `assets/faces`. */
  readonly faces: string;
  /** The way from the page to the folder of `assets`, with a slash at its end; "" for its own folder. */
  readonly root: string;
  /** The folder of the faces, with a slash at its end, where they lie elsewhere. */
  readonly pictures?: string;
  readonly seats: readonly Player[];
  /** The seat that looks, at the bottom; `null`: all hands are open. */
  readonly perspective?: number | null;
  /** So many plays are told at once to who cannot see, where they follow each other quickly; 1 by default. */
  readonly tells?: number;
}

interface Table {
  /** Draw a scene. Who acts stands out; what is told is said to who cannot see. */
  show(scene: Scene, now?: { readonly actor?: number | null; readonly told?: string }): void;
  /** Say what was done to who cannot see, without drawing. */
  tell(words: string): void;
  /** Look from a seat, or at all hands. */
  perspective(seat: number | null): void;
}

/** A choice of a match: `entry` is its place among the entries of the record. */
interface Choice {
  readonly entry: number;
  readonly seat: number;
  readonly chargedMs: number;
  readonly strikes?: number;
  readonly fault?: string;
}

/** What happened, and what it changed on the table: a merge patch of the scene before. */
interface Step {
  readonly told: string;
  readonly seat?: number;
  /** Whose turn it is afterwards, in a lesson. */
  readonly actor?: number | null;
  readonly mark?: string;
  readonly choice?: Choice;
  readonly patch?: object;
}

interface Deal {
  readonly title: string;
  readonly scene: Scene;
  readonly steps: readonly Step[];
}

/** A match, deal by deal and step by step. */
interface Match {
  readonly format: number;
  readonly matchId: string;
  readonly game: string;
  readonly title: string;
  readonly faces: string;
  readonly seats: readonly Player[];
  readonly deals: readonly Deal[];
}

/** The steps of a match by their numbers, from 0 on through all deals. */
interface Course {
  readonly deals: readonly Deal[];
  /** The number of the first step of each deal. */
  readonly starts: readonly number[];
  /** The number of the last step. */
  readonly last: number;
  /** The numbers of the steps of choices, by the places of these in the record. */
  readonly choices: ReadonlyMap<number, number>;
  deal(at: number): number;
  step(at: number): Step;
  scene(at: number): Scene;
  within(at: number): number;
  part(at: number, way: 1 | -1): number;
  nextDeal(at: number, way: 1 | -1): number;
  address(at: number, seat: number | null): string;
  moment(address: string): { readonly at: number; readonly seat: number | null } | undefined;
}

/** The replay of a page, for whoever adds to it. */
interface Replay {
  /** Call a function with each step that is shown, beginning with the one that is shown now. */
  watch(shown: (step: Step, at: number) => void): void;
  readonly course: Course;
  readonly seats: readonly Player[];
  /** Go to a step, and stay there. */
  go(at: number): void;
  /** Let keys lead to these steps, which are in order. */
  mistakes(steps: readonly number[]): void;
  /** Return the address of the moment after a choice within the page, and its words; `undefined`: there is none. */
  moment(entry: number): { readonly address: string; readonly deal: string; readonly step: Step } | undefined;
}

/** What the house would have played in place of a choice, and by how much that is better in expectation. */
interface Verdict {
  readonly entry?: number;
  readonly best: string;
  readonly cost: number;
  readonly error?: number | null;
  readonly unit: string;
  /** Whether it cost more than chance explains. */
  readonly dear?: boolean;
  /** Whether it was searched, and not told by a rule of thumb. */
  readonly searched?: boolean;
  /** What the house would have played rather; missing where it plays the same. */
  readonly better?: readonly object[];
}

/** A verdict on a choice of the replay: the step that shows it, and the seat that chose. */
interface CostlyStep extends Verdict {
  readonly entry: number;
  readonly at: number;
  readonly seat: number;
}

/** How far the analysis of a match is, and what it found, by the places of the choices in the record. */
interface AnalysisAnswer {
  readonly state: "waiting" | "working" | "done" | "failed";
  readonly done?: number;
  readonly of?: number;
  readonly choices?: Record<string, Verdict>;
  readonly dearest?: readonly Verdict[];
  /** Why it failed. */
  readonly sentence?: string;
}

/** What a person may do at a decision, as the server offers it. */
interface Offer {
  readonly action: number;
  readonly words: string;
  readonly cards?: number[];
  readonly amount?: { readonly min: number; readonly max: number };
  readonly picks?: { readonly cards: number[]; readonly min: number; readonly max: number }[];
}

/** The offers of a decision, and which of them some cards stand for. */
interface Offers {
  readonly plain: readonly Offer[];
  readonly withCards: readonly Offer[];
  readonly cards: ReadonlySet<number>;
  ready(chosen: ReadonlySet<number>): Offer[];
  unfinished(chosen: ReadonlySet<number>): Offer[];
  only(chosen: ReadonlySet<number>): Offer | undefined;
  goesWith(chosen: ReadonlySet<number>, card: number): boolean;
  completed(offer: Offer, chosen: ReadonlySet<number>): Set<number>;
}

/** Takes the messages of a match that is played. */
interface StreamListener {
  take(event: string, data: any): void;
  /** A connection was opened, perhaps anew. */
  opened(): void;
  /** Nothing comes any more; if it was refused, nothing is tried again before `listen` is called. */
  lost(refused: boolean): void;
}

interface Ordago {
  /** Each card with its sign and its name: `ordago.cards[36]` is `["10♥", "ten of hearts"]`. */
  cards: { readonly [card: number]: readonly [sign: string, name: string] };
  /** Return the name of a card in the language of the page. */
  nameOf(card: number): string;
  /** Return an object with a merge patch (RFC 7396) applied. Both stay as they are, and what did not change is shared. */
  patched(target: unknown, patch: unknown): any;
  /** Return an English text in the language of the page, as far as the page has it; `{name}` is a place for a value. */
  say(words: string, values?: { readonly [name: string]: string | number }): string;
  /** Return the course of a match that has a step at least. */
  course(match: Match): Course;
  /** Draw the costs of choices over a replay: a line for each side, and a mark at each costly choice. */
  costs(
    place: HTMLElement,
    replay: Replay,
    choices: Record<string, Verdict>,
    words: { unitName(unit: string): string; amount(verdict: Verdict): string },
  ): void;
  /** The replay of this page, if it has one. */
  replay?: Replay;
  /** Let a sound be heard, if the visitor has switched sounds on. */
  sound?(name: "card" | "turn" | "end"): void;
  /** Let be heard that cards are laid down, if a step does that. */
  heard?(step: { readonly patch?: object }): void;
  /** Sort what is offered at a decision. */
  offers(decision: any): Offers;
  /** Make buttons of the cards of a seat. */
  hand(table: Element, seat: number, told: { changed(): void; play(): boolean; enter(): void; confirms(): boolean }): any;
  /** Show what can be done with the cards that are chosen. */
  bar(hand: any, answer: (answer: any) => void): any;
  /** Let the tables of the page be sorted and searched, also after it was renewed. */
  tables?(): void;
  /** Listen to a match until it ends; a dead connection is noticed and made anew. */
  stream(place: string, listener: StreamListener): { listen(): void };
  /** Draw tables into an element. */
  table(element: Element, options: TableOptions): Table;
}

/** It grows script by script. */
declare var ordago: Ordago;
