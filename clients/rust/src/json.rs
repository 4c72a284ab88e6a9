//! Messages of the contract in protobuf's JSON form.

use std::sync::LazyLock;

use prost::{DecodeError, Message};
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use serde_json::Value;

use crate::BotError;

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(include_bytes!("v1/descriptors.bin").as_slice()).expect("the generator wrote them")
});

/// An encoded message of a kind in JSON. Only an `Any` of an unknown kind has no such form.
pub(crate) fn to_json(kind: &str, encoded: &[u8]) -> Result<Value, BotError> {
    Ok(serde_json::to_value(dynamic(kind, encoded)?)?)
}

/// An encoded message of a kind, with its descriptor.
pub(crate) fn dynamic(kind: &str, encoded: &[u8]) -> Result<DynamicMessage, DecodeError> {
    DynamicMessage::decode(descriptor(kind), encoded)
}

/// Reads a message of a kind from JSON.
pub(crate) fn from_json<T: Message + Default>(kind: &str, json: &Value) -> Result<T, BotError> {
    let message = DynamicMessage::deserialize(descriptor(kind), json)?;
    Ok(T::decode(message.encode_to_vec().as_slice())?)
}

fn descriptor(kind: &str) -> MessageDescriptor {
    POOL.get_message_by_name(&format!("ordago.v1.{kind}")).expect("a message of the contract")
}
