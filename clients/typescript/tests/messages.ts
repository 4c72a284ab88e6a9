// Messages of a server, as tests write them.
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import type { LogEvent } from "ordago";
import { Answer, type BotMessage, type Choice, Decision, ServerMessage } from "ordago/v1";
import type { Player } from "../dist/player.js";

type Partial = Parameters<typeof ServerMessage.fromPartial>[0];
type Body<Case extends string> = Extract<NonNullable<Partial["body"]>, { $case: Case }>["value"];

/** An answer with a field that this SDK does not know. */
export const FROM_THE_FUTURE = new BinaryWriter()
  .uint32((99 << 3) | 0)
  .uint32(5)
  .finish();

export function welcome(value: Body<"welcome"> = {}): ServerMessage {
  return ServerMessage.fromPartial({ body: { $case: "welcome", value: { sessionId: "s", ...value } } });
}

export function start(matchHandle: number, value: Body<"matchStart"> = {}): ServerMessage {
  const told = { matchHandle, matchId: `match-${matchHandle}`, seed: Buffer.from("seed"), ...value };
  return ServerMessage.fromPartial({ body: { $case: "matchStart", value: told } });
}

export function decision(matchHandle: number, number: number): ServerMessage {
  // fromPartial would drop the unknown field.
  const value = { ...Decision.fromPartial({ matchHandle, number }), defaultAnswer: Answer.decode(FROM_THE_FUTURE) };
  return { body: { $case: "decision", value } };
}

export function accepted(matchHandle: number, number: number, value: Body<"accepted"> = {}): ServerMessage {
  return ServerMessage.fromPartial({ body: { $case: "accepted", value: { matchHandle, number, ...value } } });
}

export function refused(matchHandle: number, number: number, value: Body<"refused"> = {}): ServerMessage {
  const told = { matchHandle, number, timeLeftMs: 1000, ...value };
  return ServerMessage.fromPartial({ body: { $case: "refused", value: told } });
}

export function end(matchHandle: number, value: Body<"matchEnd"> = {}): ServerMessage {
  return ServerMessage.fromPartial({ body: { $case: "matchEnd", value: { matchHandle, ...value } } });
}

export function goodbye(value: Body<"goodbye"> = {}): ServerMessage {
  return ServerMessage.fromPartial({ body: { $case: "goodbye", value } });
}

export function answerOf(amount: number): Answer {
  return Answer.fromPartial({ actionChoice: { $case: "legalAction", value: 1 }, amount });
}

/** Return the bodies of what a player says to a frame of these messages. */
export function said(player: Player, ...messages: readonly ServerMessage[]): BotMessage["body"][] {
  return bodies(player.receive({ messages: [...messages] }));
}

export function bodies(frame: { readonly messages: readonly BotMessage[] } | undefined): BotMessage["body"][] {
  return (frame?.messages ?? []).map(({ body }) => body);
}

/** Return the choices among the bodies of messages. */
export function choicesIn(bodies: readonly BotMessage["body"][]): Choice[] {
  return bodies.flatMap((body) => (body?.$case === "choice" ? [body.value] : []));
}

/** Return a log that keeps its events, and their lines: level and message. */
export function listening() {
  const events: LogEvent[] = [];
  const lines: string[] = [];
  const log = (event: LogEvent) => {
    events.push(event);
    lines.push(`${event.level} ${event.message}`);
  };
  return { log, events, lines };
}
