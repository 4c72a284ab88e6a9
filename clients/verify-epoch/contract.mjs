// The messages of the contract, read from its .proto files: what is needed of them to read any record.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const ANY = "message Any { string type_url = 1; bytes value = 2; }";
const SCALARS = new Set(["uint32", "int32", "sint32", "bool", "string", "bytes"]);

/** Return the messages of a folder of .proto files by name: maps from the number of a field to what it is. */
export function readContract(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".proto"));
  const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
  const messages = new Map(), enums = new Set();
  for (const text of [...texts, ANY]) readFile(text.replace(/\/\/.*$/gm, ""), messages, enums);
  for (const fields of messages.values()) {
    for (const field of fields.values()) field.kind = kindOf(field.type, enums);
  }
  return messages;
}

function kindOf(type, enums) {
  if (SCALARS.has(type)) return type;
  return enums.has(type) ? "enum" : "message";
}

function readFile(text, messages, enums) {
  for (const [, name] of text.matchAll(/\benum\s+(\w+)\s*{/g)) enums.add(name);
  for (const found of text.matchAll(/\bmessage\s+(\w+)\s*{/g)) {
    messages.set(found[1], fieldsOf(bodyAt(text, found.index + found[0].length)));
  }
}

/** Return what stands between braces, of which the first is open. */
function bodyAt(text, start) {
  let depth = 1, at = start;
  for (; depth > 0; at++) depth += text[at] === "{" ? 1 : text[at] === "}" ? -1 : 0;
  return text.slice(start, at - 1);
}

function fieldsOf(body) {
  const fields = new Map();
  const unions = [...body.matchAll(/\boneof\s+\w+\s*{/g)].map((found) => bodyAt(body, found.index + found[0].length));
  const arms = new Set([...unions.join("").matchAll(/=\s*(\d+)/g)].map(([, number]) => Number(number)));
  for (const [, label, type, name, number] of body.matchAll(/(repeated|optional)?\s*\b([\w.]+)\s+(\w+)\s*=\s*(\d+)/g)) {
    fields.set(Number(number), {
      name,
      type: type.split(".").at(-1),
      repeated: label === "repeated",
      presence: label === "optional" || arms.has(Number(number)),
    });
  }
  return fields;
}
