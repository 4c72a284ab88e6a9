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

CREATE TABLE name_uses (
  bot_key VARCHAR NOT NULL,
  last_seen_at BIGINT NOT NULL,
  PRIMARY KEY (bot_key),
  FOREIGN KEY(bot_key) REFERENCES bots ("key")
);

INSERT INTO accounts_version VALUES (2);

INSERT INTO tokens VALUES ('t1', X'01', 'ana', 'play', '', 1700000000, NULL, NULL, NULL);

INSERT INTO tokens VALUES ('t2', X'02', 'ana', 'observe', '', 1700000009, NULL, NULL, 1700000010);

INSERT INTO tokens VALUES ('t3', X'03', 'Ana', 'play', '', 1700000003, NULL, NULL, NULL);

INSERT INTO tokens VALUES ('t4', X'04', 'b"e''n', 'admin organise', '', 1700000004, NULL, NULL, NULL);

INSERT INTO bots VALUES ('deep', 'Deep', 'ana', 1800000000);

INSERT INTO builds VALUES ('deep', '1', 'b', 1800000001);

INSERT INTO name_uses VALUES ('deep', 1800000002);
