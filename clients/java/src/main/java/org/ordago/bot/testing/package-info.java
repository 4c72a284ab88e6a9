/** Helpers for tests of bots: decisions in a file, legal answers, and matches on this machine. */
package org.ordago.bot.testing;
