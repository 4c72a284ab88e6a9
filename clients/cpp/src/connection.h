// One connection to a server: a channel of its own, and the stream over it.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/sync_stream.h>

#include <memory>
#include <thread>

#include "command_line.h"
#include "mailbox.h"

namespace ordago {

/// A connection. A thread of its own connects, reads, and puts all that comes into a mailbox, with the time when it
/// came, while the bot thinks: first which event the server plays, if that is wanted, then that the stream is there,
/// its frames, and how it ended, for good.
class Connection {
 public:
  Connection(const Settings& settings, bool asks_for_event, Mailbox& mailbox);
  /// Breaks off, if it has not ended.
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Sends a frame, unless it is empty. To be called when the stream is there. What goes wrong shows in how it ends.
  void send(const v1::PlayRequest& frame);
  /// Says that nothing more is sent.
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
