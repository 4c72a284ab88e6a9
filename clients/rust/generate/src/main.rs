//! Generates the stubs of the contract: `generate PROTO OUTPUT` reads the folder PROTO and writes OUTPUT/src/v1: mod.rs,
//! and descriptors.bin for messages in JSON.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use prost::Message;
use prost_types::field_descriptor_proto::Type;
use prost_types::{FieldDescriptorProto, FileDescriptorSet};

/// The services that a bot calls. Their imports are generated, too; other services are not.
const SERVICES: [&str; 3] =
    ["ordago/v1/bot_service.proto", "ordago/v1/game_service.proto", "ordago/v1/rules_service.proto"];

/// The answers that are kept as bytes, by message and field. On the wire a message is its bytes, so this changes nothing
/// there. prost drops unknown fields, and a default answer has to return unchanged.
const AS_BYTES: [(&str, &str); 2] = [("Choice", "answer"), ("Decision", "default_answer")];

fn main() -> Result<(), Box<dyn Error>> {
    let [proto, output] = env::args_os()
        .skip(1)
        .map(PathBuf::from)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "usage: generate PROTO OUTPUT")?;
    let folder = output.join("src/v1");
    fs::create_dir_all(&folder)?;
    let mut files = protox::compile(SERVICES, [proto])?;
    fs::write(folder.join("descriptors.bin"), without_comments(&files).encode_to_vec())?;
    keep_bytes(&mut files);
    let usual = tonic_prost_build::configure().build_server(false).out_dir(&folder);
    AS_BYTES
        .iter()
        .fold(usual, |settings, (message, field)| settings.bytes(format!(".ordago.v1.{message}.{field}")))
        .compile_fds(files)?;
    fs::rename(folder.join("ordago.v1.rs"), folder.join("mod.rs"))?;
    Ok(())
}

/// The descriptors without comments and places, which are most of their bytes, and without services.
fn without_comments(files: &FileDescriptorSet) -> FileDescriptorSet {
    let mut files = files.clone();
    for file in &mut files.file {
        file.source_code_info = None;
        file.service.clear();
    }
    files
}

/// Turns the answers into bytes.
fn keep_bytes(files: &mut FileDescriptorSet) {
    for (message, field) in AS_BYTES {
        let answer = find(files, message, field);
        answer.set_type(Type::Bytes);
        answer.type_name = None;
    }
}

fn find<'a>(files: &'a mut FileDescriptorSet, message: &str, field: &str) -> &'a mut FieldDescriptorProto {
    let messages = files.file.iter_mut().flat_map(|file| &mut file.message_type);
    messages
        .filter(|candidate| candidate.name() == message)
        .flat_map(|candidate| &mut candidate.field)
        .find(|candidate| candidate.name() == field)
        .unwrap_or_else(|| panic!("the contract has no {message}.{field} any more: see AS_BYTES"))
}
