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
  const { actionChoice, amount, cards, extra } = asAnswer(chosen);
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
  const typed = withoutExtra(fieldsOf({ game }), extras, game.$case);
  return actions.find((action) => action.action?.game?.$case === game.$case && completes(typed, action));
}

function completes(typed: Fields, action: LegalAction): boolean {
  const { amount, card, cards, ...closed } = typed;
  const whole = { ...closed, ...(!action.amount && { amount }), ...(action.picks.length === 0 && { card, cards }) };
  const open = {
    amount: action.amount && Number(amount ?? 0),
    cards: action.picks.length > 0 ? [card, cards].flat().filter(isCard) : [],
  };
  return isSame(whole, fieldsOf(action.action)) && fits(action, open);
}

function isCard(card: unknown): card is number {
  return typeof card === "number" && card !== 0;
}

/** Leave out the field of an extra, if it is one of the decision's. */
function withoutExtra(typed: Fields, extras: readonly Extra[], game: string): Fields {
  const found = extras
    .filter(({ action }) => action?.game?.$case === game)
    .map(({ action }) => setIn(fieldsOf(action)))
    .find((extra) => Object.entries(extra).every(([name, value]) => isDeepStrictEqual(typed[name], value)));
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !(found && name in found)));
}

function isSame(one: Fields, other: Fields): boolean {
  return isDeepStrictEqual(setIn(one), setIn(other));
}

/** Return the fields that are set. A field without a presence of its own is not set if it is empty. */
function setIn(fields: Fields): Fields {
  const isSet = (value: unknown) =>
    ![undefined, 0, false, ""].includes(value as never) && !isDeepStrictEqual(value, []);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)));
}

function fieldsOf(action: Action | undefined): Fields {
  const { _unknownFields, ...fields } = { ...(action?.game?.value as Fields | undefined) };
  return fields;
}
