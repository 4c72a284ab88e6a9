/**
 * The messages of the contract that a bot meets: decisions, views, actions and events of all games, cards and matches.
 * The services beside that of bots are found by the names of their files, for instance `ordago/v1/ladder_service`.
 *
 * @module ordago/v1
 */
export * from "./ordago/v1/announcement.js";
export * from "./ordago/v1/bot_service.js";
export * from "./ordago/v1/cards.js";
export * from "./ordago/v1/clock.js";
export * from "./ordago/v1/decision.js";
export * from "./ordago/v1/faults.js";
export * from "./ordago/v1/game_service.js";
export * from "./ordago/v1/games.js";
export * from "./ordago/v1/match.js";
export * from "./ordago/v1/mitaines.js";
export * from "./ordago/v1/mitigati.js";
export * from "./ordago/v1/mittlere.js";
export * from "./ordago/v1/mus.js";
export * from "./ordago/v1/taihe.js";
