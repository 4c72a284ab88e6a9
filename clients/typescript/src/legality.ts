import { isDeepStrictEqual } from "node:util";
import { asAnswer, type Choosable } from "./answers.js";
import type { Decision, Extra, LegalAction } from "./ordago/v1/decision.js";
import type { Action } from "./ordago/v1/games.js";

/** The open parts of an action. Cards that are not there are unspecified, 0. */
interface Open {
  readonly amount: number | undefined;
  readonly cards: readonly number[];
}

/** A message of a game, field by field. */
type Fields = Readonly<Record<string, unknown>>;

/** Return true if a choice is legal: if the server would accept it as the answer to this decision. */
export function isLegal(decision: Decision, chosen: Choosable): boolean {
  return actionTaken(decision, chosen) !== undefined;
}

/** Return the legal action that a choice takes, by its number or typed; undefined if the choice is not legal. */
export function actionTaken(decision: Decision, chosen: Choosable): LegalAction | undefined {
  const { actionChoice, amount, cards, extra, concede } = asAnswer(chosen);
  if (concede && !decision.mayConcede) {
    return undefined;
  }
  switch (actionChoice?.$case) {
    case "legalAction": {
      const action = decision.actions.find(({ id }) => id === actionChoice.value);
      const isExtra = extra === 0 || decision.extras.some(({ id }) => id === extra);
      return action !== undefined && isExtra && fits(action, { amount, cards }) ? action : undefined;
    }
    case "action": {
      const isAlone = amount === undefined && cards.length === 0 && extra === 0;
      return isAlone ? completedBy(actionChoice.value, decision) : undefined;
    }
    default:
      return undefined;
  }
}

function fits({ amount: range, picks }: LegalAction, { amount, cards }: Open): boolean {
  const isAmount = range ? amount !== undefined && amount >= range.min && amount <= range.max : amount === undefined;
  const counts = picks.map((pick) => cards.filter((card) => pick.cards.includes(card)).length);
  const areCounts = picks.every(({ min, max }, index) => min <= (counts[index] ?? 0) && (counts[index] ?? 0) <= max);
  const areOffered = counts.reduce((sum, count) => sum + count, 0) === cards.length;
  return isAmount && areCounts && areOffered && new Set(cards).size === cards.length;
}

/** Return the legal action that a typed action is, but for its open parts. */
function completedBy({ game }: Action, { actions, extras }: Decision): LegalAction | undefined {
  if (game === undefined) {
    return undefined;
  }
  const typed = fieldsOf({ game });
  const said = extraIn(typed, extras, game.$case);
  return actions.find((action) => action.action?.game?.$case === game.$case && completes(typed, action, said));
}

/** Return true if a typed action is a legal action, apart from the fields of its open parts and of its extra. */
function completes(typed: Fields, action: LegalAction, said: readonly string[]): boolean {
  const { amount, card, cards } = typed;
  const picked = action.picks.length > 0 ? [card, cards].flat().filter(isCard) : [];
  const open = [...(action.amount ? ["amount"] : []), ...(action.picks.length > 0 ? ["card", "cards"] : []), ...said];
  const isSame = isDeepStrictEqual(without(open, typed), without(open, fieldsOf(action.action)));
  return isSame && fits(action, { amount: action.amount && (amount as number | undefined), cards: picked });
}

function isCard(card: unknown): card is number {
  return typeof card === "number" && card !== 0;
}

/** Return the field of an extra in a typed action, if it is one of the decision's. */
function extraIn(typed: Fields, extras: readonly Extra[], game: string): readonly string[] {
  const found = extras
    .filter(({ action }) => action?.game?.$case === game)
    .map(({ action }) => Object.entries(fieldsOf(action)).filter(([, value]) => isFilledIn(value)))
    .find((fields) => fields.every(([name, value]) => isDeepStrictEqual(typed[name], value)));
  return (found ?? []).map(([name]) => name);
}

function isFilledIn(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function without(names: readonly string[], fields: Fields): Fields {
  const isKept = ([name, value]: [string, unknown]) => value !== undefined && !names.includes(name);
  return Object.fromEntries(Object.entries(fields).filter(isKept));
}

function fieldsOf(action: Action | undefined): Fields {
  const { _unknownFields, ...fields } = { ...(action?.game?.value as Fields | undefined) };
  return fields;
}
