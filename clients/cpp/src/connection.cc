#include "connection.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>
#include <ordago/v1/bot_service.grpc.pb.h>
#include <ordago/v1/game_service.grpc.pb.h>

#include <charconv>
#include <string_view>

namespace ordago {
namespace {

grpc::ChannelArguments arguments() {
  grpc::ChannelArguments arguments;
  // Otherwise all bots of a process would share one connection, and a server limits the streams of each.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // A bot connects directly: a proxy in the environment is meant for browsers, and would be used for localhost too.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // A connection that is half open is noticed after 35 seconds at most, while the session can still be resumed.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 25'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  // Otherwise it stops pinging after two pings without a frame in between, for instance while another seat thinks.
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt("grpc.http2.ping_timeout_ms", 10'000);  // Newer releases have it; its default of a minute would win.
  arguments.SetMaxReceiveMessageSize(-1);
  // Otherwise it sends extra pings to measure bandwidth, for windows far larger than a bot ever needs.
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  return arguments;
}

std::shared_ptr<grpc::ChannelCredentials> credentials_of(const Settings& settings) {
  if (!settings.tls) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = settings.tls->authorities;
  options.pem_cert_chain = settings.tls->certificate;
  options.pem_private_key = settings.tls->key;
  return grpc::SslCredentials(options);
}

milliseconds retry_after_of(const grpc::ClientContext& context) {
  const auto& metadata = context.GetServerTrailingMetadata();
  const auto found = metadata.find("retry-after-ms");
  if (found == metadata.end()) return {};
  const std::string_view text(found->second.data(), found->second.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return milliseconds(error == std::errc{} && end == text.data() + text.size() ? number : 0);
}

Ended end_of(const grpc::Status& status, const grpc::ClientContext& context) {
  return {status.error_code(), status.ok() ? "the stream ended" : status.error_message(), retry_after_of(context)};
}

}  // namespace

Connection::Connection(const Settings& settings, bool asks_for_event, Mailbox& mailbox)
    : settings_(settings),
      asks_for_event_(asks_for_event),
      mailbox_(mailbox),
      channel_(grpc::CreateCustomChannel(grpc_target(settings.address), credentials_of(settings), arguments())) {
  if (!settings.token.empty()) playing_.AddMetadata("authorization", "Bearer " + settings.token);
  if (!settings.event.empty()) playing_.AddMetadata("ordago-event", settings.event);
  thread_ = std::jthread([this] { play(); });
}

Connection::~Connection() {
  describing_.TryCancel();
  playing_.TryCancel();
  mailbox_.clear();  // The thread may wait for room.
}

void Connection::send(const v1::PlayRequest& frame) {
  if (frame.messages_size() > 0) stream_->Write(frame);
}

void Connection::finish() { stream_->WritesDone(); }

void Connection::play() {
  if (asks_for_event_ && !describe()) return;
  stream_ = v1::BotService::NewStub(channel_)->Play(&playing_);
  mailbox_.put(Opened{});
  read();
  const grpc::Status status = stream_->Finish();
  mailbox_.put(end_of(status, playing_));
}

// A server without this method has no event.
bool Connection::describe() {
  v1::DescribeEventRequest request;
  request.set_event(settings_.event);
  Described described;
  const auto status = v1::GameService::NewStub(channel_)->DescribeEvent(&describing_, request, &described.event);
  const bool goes_on = status.ok() || status.error_code() == grpc::StatusCode::UNIMPLEMENTED;
  if (goes_on) {
    mailbox_.put(std::move(described));
  } else {
    mailbox_.put(end_of(status, describing_));
  }
  return goes_on;
}

void Connection::read() {
  v1::PlayResponse frame;
  while (stream_->Read(&frame)) mailbox_.put(Arrival{std::move(frame), std::chrono::steady_clock::now()});
}

}  // namespace ordago
