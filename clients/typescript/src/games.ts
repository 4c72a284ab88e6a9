// A union of the contract has an arm for each game, of which one is filled in. Here is what reaches into it.
import type { Decision, LegalAction } from "./ordago/v1/decision.js";
import { Action, type Event, type GameOptions, type View } from "./ordago/v1/games.js";

/** A message with an arm for each game. */
interface Union {
  readonly game?: { readonly $case: string; readonly value: unknown } | undefined;
}
/** The arms of such a message by their names. */
type Arms<Of extends Union> = { [Arm in NonNullable<Of["game"]> as Arm["$case"]]: Arm["value"] };

/** The short name of a game, for instance `mittlere`; `other` for one from elsewhere. */
export type GameName = NonNullable<View["game"]>["$case"];

/**
 * Returns what the seat sees, by the messages of its game: `viewOf(decision, "mittlere").hand`.
 *
 * @throws TypeError if another game is played
 */
export function viewOf<Game extends GameName>(decision: Decision, game: Game): Arms<View>[Game] {
  return arm(decision.view, game);
}

/**
 * Returns a legal action by the messages of its game. Its open parts are empty.
 *
 * @throws TypeError if another game is played
 */
export function actionOf<Game extends GameName>(action: LegalAction, game: Game): Arms<Action>[Game] {
  return arm(action.action, game);
}

/**
 * Returns what happened since the seat was asked last, or at the end of the match, by the messages of its game.
 *
 * @throws TypeError if another game is played
 */
export function eventsOf<Game extends GameName>(
  told: { readonly events: readonly Event[] },
  game: Game,
): Arms<Event>[Game][] {
  return told.events.map((event) => arm(event, game));
}

/**
 * Returns the options that a match is played with, by the messages of its game.
 *
 * @throws TypeError if another game is played
 */
export function optionsOf<Game extends GameName>(
  match: { readonly options?: GameOptions | undefined },
  game: Game,
): Arms<GameOptions>[Game] {
  return arm(match.options, game);
}

/** Returns an action that a bot can choose, of which nothing is open: `act("mittlere", { card })`. */
export function act<Game extends GameName>(game: Game, value: Partial<Arms<Action>[Game]>): Action {
  return Action.fromPartial({ game: { $case: game, value } } as Parameters<typeof Action.fromPartial>[0]);
}

function arm<Of extends Union, Game extends keyof Arms<Of>>(union: Of | undefined, game: Game): Arms<Of>[Game] {
  if (union?.game?.$case !== game) {
    throw new TypeError(`it is not of the game ${String(game)} but of ${union?.game?.$case ?? "one unknown here"}`);
  }
  return union.game.value as Arms<Of>[Game];
}
