CREATE TABLE accounts_version (
  version INTEGER NOT NULL,
  PRIMARY KEY (version)
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

INSERT INTO accounts_version VALUES (1);

INSERT INTO bots VALUES ('deep', 'Deep', 'ana', 1800000000);

INSERT INTO builds VALUES ('deep', '1', 'b', 1800000001);
