// Records: read from their files, by the contract, and their digest, by docs/record-digest.md.

import { sha256 } from "./deals.mjs";

const VARINTS = new Set(["uint32", "int32", "sint32", "bool", "enum"]);
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Return a message of the contract: its fields by number, each a list of values. Numbers are BigInt. */
export function readMessage(data, type, contract) {
  const fields = contract.get(type), values = new Map();
  const source = { data, at: 0 };
  while (source.at < data.length) {
    const key = varint(source), number = Number(key >> 3n), wire = Number(key & 7n);
    const field = fields.get(number);
    if (field === undefined) throw new Error(`${type} has no field ${number}`);
    if (!values.has(number)) values.set(number, []);
    else if (!field.repeated) throw new Error(`${type} has field ${number} twice`);
    values.get(number).push(...valuesOf(source, wire, field, contract));
  }
  return { type, values };
}

function valuesOf(source, wire, field, contract) {
  if (VARINTS.has(field.kind)) {
    if (wire === 0) return [held(varint(source), field)];
    if (wire !== 2 || !field.repeated) throw new Error(`${field.name} has another form`);
    const packed = { data: chunk(source), at: 0 }, values = [];
    while (packed.at < packed.data.length) values.push(held(varint(packed), field));
    return values;
  }
  if (wire !== 2) throw new Error(`${field.name} has another form`);
  const bytes = chunk(source);
  if (field.kind === "string") UTF8.decode(bytes);
  return [field.kind === "message" ? readMessage(bytes, field.type, contract) : bytes];
}

function varint(source) {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    if (source.at >= source.data.length) throw new Error("it ends in the middle of a number");
    const byte = source.data[source.at++];
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return BigInt.asUintN(64, value);
  }
  throw new Error("a number has too many bytes");
}

/** Return a number as its kind holds it. What is too large for it is cut, so it is not written again as it was. */
function held(value, { kind }) {
  if (kind === "bool") return value === 0n ? 0n : 1n;
  const low = BigInt.asUintN(32, value);
  if (kind === "sint32") return (low >> 1n) ^ -(low & 1n);
  return kind === "uint32" ? low : BigInt.asIntN(32, low);
}

function chunk(source) {
  const length = Number(varint(source));
  if (length > source.data.length - source.at) throw new Error("it ends in the middle of a field");
  source.at += length;
  return source.data.subarray(source.at - length, source.at);
}

/** Return the fields of a message that count, ascending. */
function setFields(message, contract) {
  const fields = contract.get(message.type);
  return [...message.values]
    .map(([number, values]) => [number, fields.get(number), values])
    .filter(([, field, values]) => isSet(field, values))
    .sort(([one], [other]) => one - other);
}

function isSet(field, [first]) {
  if (first === undefined) return false;
  if (field.repeated || field.presence || field.kind === "message") return true;
  return VARINTS.has(field.kind) ? first !== 0n : first.length > 0;
}

/** Return the digest of a record. */
export function digest(record, contract) {
  return sha256(Buffer.concat([Buffer.from("ordago-record-digest-1\n"), written(record, contract)]));
}

/** Say whether a file holds anything that the digest of the record in it does not see, given the file as a message. */
export function holdsMore(data, file, contract) {
  return !written(file, contract).equals(data);
}

/** Return the one form of a message in which nothing is left open. */
function written(message, contract) {
  return Buffer.concat(setFields(message, contract).flatMap(([number, field, values]) => {
    const contents = values.map((value) => writtenValue(value, field, contract));
    if (!VARINTS.has(field.kind)) return contents.flatMap((content) => delimited(number, content));
    if (field.repeated) return delimited(number, Buffer.concat(contents));
    return [writtenNumber(BigInt(number) << 3n), ...contents];
  }));
}

function delimited(number, content) {
  return [writtenNumber(BigInt(number) << 3n | 2n), writtenNumber(BigInt(content.length)), content];
}

function writtenValue(value, field, contract) {
  if (field.kind === "message") return written(value, contract);
  if (!VARINTS.has(field.kind)) return value;
  return writtenNumber(field.kind === "sint32" ? (value << 1n) ^ (value >> 63n) : BigInt.asUintN(64, value));
}

function writtenNumber(number) {
  const bytes = [];
  let rest = number;
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

/** Return a message as a plain object: fields by name, bytes as they are, numbers as Number. */
export function plain(message, contract) {
  const object = {};
  for (const [number, field] of contract.get(message.type)) {
    const values = (message.values.get(number) ?? []).map((value) => plainValue(value, field, contract));
    if (field.repeated) object[field.name] = values;
    else object[field.name] = values[0] ?? empty(field);
  }
  return object;
}

function plainValue(value, field, contract) {
  if (field.kind === "message") return plain(value, contract);
  if (field.kind === "string") return value.toString("utf8");
  return field.kind === "bytes" ? value : Number(value);
}

function empty(field) {
  if (field.kind === "message") return null;
  if (field.kind === "string") return "";
  return field.kind === "bytes" ? Buffer.alloc(0) : 0;
}
