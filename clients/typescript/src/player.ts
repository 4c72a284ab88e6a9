import { Chance } from "./chance.js";
import { log } from "./log.js";
import type { Goodbye, Welcome } from "./ordago/v1/bot_service.js";
import { BotMessage, Hello, PlayRequest, type PlayResponse, ServerMessage } from "./ordago/v1/bot_service.js";
import type { Answer, Decision } from "./ordago/v1/decision.js";
import { Fault, faultToJSON } from "./ordago/v1/faults.js";
import { type Accepted, Choice, type MatchStart, type Refused } from "./ordago/v1/match.js";

export const CONTRACT_VERSION = 1;

/**
 * Answers a decision. What it draws from chance depends on the match, the seat and the number of the decision alone,
 * so that a match that is played again is played the same.
 */
export type Choose = (decision: Decision, chance: Chance) => Answer;

/** What is kept of one match. */
interface Seat {
  readonly start: MatchStart;
  /** The decision that was asked last, until it is closed. */
  open?: Decision | undefined;
}

/**
 * One process of a bot over all of its connections, without I/O: frames of the server in, frames for the server out.
 * It knows the messages of Ordago and no game.
 */
export class Player {
  readonly #choose: Choose;
  readonly #hello: Hello;
  readonly #seats = new Map<number, Seat>();
  #farewell: Goodbye | undefined;

  /** The Hello says who plays, and how much at once; the versions are filled in here. */
  constructor(choose: Choose, hello: Partial<Hello>) {
    this.#choose = choose;
    this.#hello = Hello.fromPartial({
      ...hello,
      minVersion: CONTRACT_VERSION,
      maxVersion: CONTRACT_VERSION,
      sdk: { name: "ordago typescript", version: "0.1.0" },
    });
  }

  /** The Goodbye of the server; undefined while the session goes on. */
  get farewell(): Goodbye | undefined {
    return this.#farewell;
  }

  /** Returns the first frame of a connection. It resumes the session that there was before, if any. */
  greet(): PlayRequest {
    return frame([{ body: { $case: "hello", value: this.#hello } }]);
  }

  /** Returns the frame that ends the session. */
  leave(sentence: string): PlayRequest {
    return frame([{ body: { $case: "goodbye", value: { sentence, fault: Fault.FAULT_UNSPECIFIED } } }]);
  }

  /** Takes in a frame and returns the one to send back; undefined if there is nothing to say. */
  receive(response: PlayResponse): PlayRequest | undefined {
    const choices = response.messages.map((message) => this.#take(message)).filter((choice) => choice !== undefined);
    for (const choice of choices) {
      log.debug("went", () => Choice.toJSON(choice));
    }
    return choices.length > 0 ? frame(choices.map((value) => ({ body: { $case: "choice", value } }))) : undefined;
  }

  /** Makes the next greeting begin a new session; says whether there was one that could be resumed. */
  forgetSession(): boolean {
    const had = this.#hello.resume !== undefined;
    this.#hello.resume = undefined;
    return had;
  }

  /** Returns the choice that a message asks for; undefined for most. */
  #take(message: ServerMessage): Choice | undefined {
    const body = message.body;
    if (body?.$case !== "welcome") {
      log.debug("came", () => ServerMessage.toJSON(message)); // A Welcome holds the token of the session.
    }
    switch (body?.$case) {
      case "welcome":
        return this.#welcomed(body.value);
      case "matchStart":
        this.#seats.set(body.value.matchHandle, { start: body.value });
        return undefined;
      case "decision":
        return this.#decide(body.value);
      case "refused":
        return this.#decideAgain(body.value);
      case "accepted":
        return this.#accepted(body.value);
      case "matchEnd":
        this.#seats.delete(body.value.matchHandle);
        return undefined;
      case "draining":
        log.info(`the server is going down: ${body.value.sentence}`);
        return undefined;
      case "goodbye":
        this.#farewell = body.value;
        return undefined;
      default: // A message of an unknown kind has no body.
        return undefined;
    }
  }

  /** Begins or resumes a session. Nothing of the seats is kept, since each match that goes on is announced anew. */
  #welcomed(welcome: Welcome): undefined {
    log.info(`${welcome.resumed ? "connected again" : "connected"}; games: ${welcome.games.map(({ game }) => game)}`);
    this.#seats.clear();
    this.#hello.resume = { sessionId: welcome.sessionId, resumeToken: welcome.resumeToken };
  }

  #decide(decision: Decision): Choice | undefined {
    const seat = this.#seats.get(decision.matchHandle);
    if (seat === undefined) {
      log.warn(`a decision of a match that was not announced: ${decision.matchHandle}`);
      return undefined;
    }
    seat.open = decision;
    // Chance begins anew with each decision: one that is asked again after a resume then gets the same answer, and the
    // server takes it for the same.
    return answered(decision, this.#choose(decision, new Chance(seat.start.seed, decision.number)));
  }

  /** Falls back to the default answer. A refusal may also speak of a decision that was closed meanwhile. */
  #decideAgain(refused: Refused): Choice | undefined {
    log.warn(`refused: ${refused.sentence} (${refused.rule || refused.field})`);
    const decision = this.#seatAsked(refused)?.open;
    return decision && refused.timeLeftMs > 0 ? answered(decision, decision.defaultAnswer) : undefined;
  }

  #accepted(accepted: Accepted): undefined {
    if (accepted.fault !== Fault.FAULT_UNSPECIFIED) {
      log.warn(`the default answer was taken: ${faultToJSON(accepted.fault)}`);
    }
    const seat = this.#seatAsked(accepted);
    if (seat !== undefined) {
      seat.open = undefined;
    }
  }

  /** Returns the seat whose open decision a message speaks of. */
  #seatAsked({ matchHandle, number }: { matchHandle: number; number: number }): Seat | undefined {
    const seat = this.#seats.get(matchHandle);
    return seat?.open?.number === number ? seat : undefined;
  }
}

function answered({ matchHandle, number }: Decision, answer: Answer | undefined): Choice {
  return { matchHandle, number, answer };
}

function frame(messages: BotMessage[]): PlayRequest {
  return { messages };
}
