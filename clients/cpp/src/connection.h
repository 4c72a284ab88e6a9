// One connection to a server, with its own channel and one stream.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/sync_stream.h>

#include <memory>
#include <thread>

#include "command_line.h"
#include "mailbox.h"

namespace ordago {

/// A connection. Its thread connects, reads, and puts all that arrives into a mailbox, with its time, while the bot
/// thinks: the description of the event, if asked for, the opening of the stream, its frames, and last its end.
class Connection {
 public:
  Connection(const Settings& settings, bool asks_for_event, Mailbox& mailbox);
  /// Breaks the connection off, if it has not ended.
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Sends a frame, unless it is empty. Call it once the stream is open. A failure shows in the end of the stream.
  void send(const v1::PlayRequest& frame);
  /// Closes the sending side.
  void finish();

 private:
  void play();
  bool describe();
  void read();

  const Settings& settings_;
  const bool asks_for_event_;
  Mailbox& mailbox_;
  std::shared_ptr<grpc::Channel> channel_;
  grpc::ClientContext describing_;
  grpc::ClientContext playing_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>> stream_;
  std::jthread thread_;
};

}  // namespace ordago
