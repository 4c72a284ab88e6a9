CREATE TABLE accounts_version (
  version INTEGER NOT NULL,
  PRIMARY KEY (version)
);

CREATE TABLE accounts (
  name VARCHAR NOT NULL,
  "key" VARCHAR NOT NULL,
  roles VARCHAR NOT NULL,
  most_bots INTEGER NOT NULL,
  most_tokens INTEGER NOT NULL,
  most_sessions INTEGER NOT NULL,
  most_names INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  banned_at BIGINT,
  ban_reason VARCHAR NOT NULL,
  PRIMARY KEY (name)
);

CREATE INDEX ix_accounts_key ON accounts ("key");

CREATE TABLE invitations (
  digest BLOB NOT NULL,
  roles VARCHAR NOT NULL,
  account VARCHAR NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  PRIMARY KEY (digest)
);

CREATE TABLE bots (
  "key" VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  account VARCHAR NOT NULL,
  claimed_at BIGINT NOT NULL,
  PRIMARY KEY ("key")
);

CREATE TABLE tokens (
  id VARCHAR NOT NULL,
  fingerprint BLOB NOT NULL,
  account VARCHAR NOT NULL,
  scopes VARCHAR NOT NULL,
  bot VARCHAR NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  last_used_at BIGINT,
  revoked_at BIGINT,
  PRIMARY KEY (id),
  UNIQUE (fingerprint)
);

CREATE TABLE builds (
  bot_key VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  build VARCHAR NOT NULL,
  first_seen_at BIGINT NOT NULL,
  PRIMARY KEY (bot_key, version, build),
  FOREIGN KEY(bot_key) REFERENCES bots ("key")
);

CREATE TABLE name_uses (
  bot_key VARCHAR NOT NULL,
  last_seen_at BIGINT NOT NULL,
  PRIMARY KEY (bot_key),
  FOREIGN KEY(bot_key) REFERENCES bots ("key")
);

INSERT INTO accounts_version VALUES (3);

INSERT INTO accounts VALUES ('ana', 'ana', 'play', 64, 64, 2048, 64, 1700000000, 1700000007, 'spam');

INSERT INTO bots VALUES ('deep', 'Deep', 'ana', 1800000000);

INSERT INTO builds VALUES ('deep', '1', 'b', 1800000001);

INSERT INTO name_uses VALUES ('deep', 1800000002);
