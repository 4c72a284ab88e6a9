#!/usr/bin/env node
import { run } from "ordago";
import { MyBot } from "./bot.js";

// A bot that plays one game only says so here: games: ["mittlere"].
await run((match) => new MyBot(match), { name: "@NAME@", version: "0.1.0" });
