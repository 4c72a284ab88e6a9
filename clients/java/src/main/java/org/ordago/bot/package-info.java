/**
 * SDK for bots: implement {@link org.ordago.bot.Bot#choose} and pass it to {@link org.ordago.bot.BotProgram}.
 *
 * <p>The messages that a bot reads and writes are those of the contract, in {@code org.ordago.v1}.
 */
package org.ordago.bot;
