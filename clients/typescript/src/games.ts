// Access to the unions of the contract, which have a field for each game.
import type { Decision, LegalAction } from "./ordago/v1/decision.js";
import { Action, type Event, type GameOptions, type View } from "./ordago/v1/games.js";

/** A message with a field for each game, one of which is set. */
interface Union {
  readonly game?: { readonly $case: string; readonly value: unknown } | undefined;
}
/** The types of these fields by their names. */
type Arms<Of extends Union> = { [Arm in NonNullable<Of["game"]> as Arm["$case"]]: Arm["value"] };

/** The short name of a game, for instance `mittlere`; `other` for one from elsewhere. */
export type GameName = NonNullable<View["game"]>["$case"];

/**
 * Return the view of the seat, by the messages of its game: `viewOf(decision, "mittlere").hand`.
 *
 * @throws TypeError if another game is played
 */
export function viewOf<Game extends GameName>(decision: Decision, game: Game): Arms<View>[Game] {
  return arm(decision.view, game);
}

/**
 * Return a legal action by the messages of its game. Its open parts are empty.
 *
 * @throws TypeError if another game is played
 */
export function actionOf<Game extends GameName>(action: LegalAction, game: Game): Arms<Action>[Game] {
  return arm(action.action, game);
}

/**
 * Return the events since the last decision, or at the end of the match, by the messages of their game.
 *
 * @throws TypeError if another game is played
 */
export function eventsOf<Game extends GameName>(
  message: { readonly events: readonly Event[] },
  game: Game,
): Arms<Event>[Game][] {
  return message.events.map((event) => arm(event, game));
}

/**
 * Return the options of a match, by the messages of its game.
 *
 * @throws TypeError if another game is played
 */
export function optionsOf<Game extends GameName>(
  match: { readonly options?: GameOptions | undefined },
  game: Game,
): Arms<GameOptions>[Game] {
  return arm(match.options, game);
}

/** Return a complete action, for a bot to choose: `act("mittlere", { card })`. */
export function act<Game extends GameName>(game: Game, value: Partial<Arms<Action>[Game]>): Action {
  return Action.fromPartial({ game: { $case: game, value } } as Parameters<typeof Action.fromPartial>[0]);
}

function arm<Of extends Union, Game extends keyof Arms<Of>>(union: Of | undefined, game: Game): Arms<Of>[Game] {
  if (union?.game?.$case !== game) {
    throw new TypeError(`this message is of ${union?.game?.$case ?? "a game unknown here"}, not of ${String(game)}`);
  }
  return union.game.value as Arms<Of>[Game];
}
