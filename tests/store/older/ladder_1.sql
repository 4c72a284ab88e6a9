CREATE TABLE ladder_version (
  version INTEGER NOT NULL,
  PRIMARY KEY (version)
);

CREATE TABLE players (
  player INTEGER NOT NULL,
  name VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  build VARCHAR NOT NULL,
  account VARCHAR NOT NULL,
  house BOOLEAN NOT NULL,
  first_seen BIGINT NOT NULL,
  predecessor INTEGER,
  PRIMARY KEY (player),
  FOREIGN KEY(predecessor) REFERENCES players (player)
);

CREATE INDEX players_by_account ON players (account, player);

CREATE UNIQUE INDEX players_by_name ON players (name, version, account);

CREATE TABLE settings (
  digest VARCHAR NOT NULL,
  settings TEXT NOT NULL,
  PRIMARY KEY (digest)
);

CREATE TABLE epochs (
  epoch INTEGER NOT NULL,
  began BIGINT NOT NULL,
  settings_digest VARCHAR NOT NULL,
  first_serial INTEGER NOT NULL,
  matches INTEGER NOT NULL,
  results INTEGER NOT NULL,
  voids INTEGER NOT NULL,
  record_bytes BIGINT NOT NULL,
  revealed BOOLEAN NOT NULL,
  verified BOOLEAN NOT NULL,
  pruned BOOLEAN NOT NULL,
  PRIMARY KEY (epoch),
  FOREIGN KEY(settings_digest) REFERENCES settings (digest)
);

CREATE TABLE ladder (
  id INTEGER NOT NULL CHECK (id = 1),
  name VARCHAR NOT NULL,
  settings_digest VARCHAR NOT NULL,
  last_link BLOB NOT NULL,
  links INTEGER NOT NULL,
  began BIGINT NOT NULL,
  latest BIGINT NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY(settings_digest) REFERENCES settings (digest)
);

CREATE TABLE entered (
  epoch INTEGER NOT NULL,
  player INTEGER NOT NULL,
  PRIMARY KEY (epoch, player),
  FOREIGN KEY(epoch) REFERENCES epochs (epoch),
  FOREIGN KEY(player) REFERENCES players (player)
);

CREATE TABLE ledger (
  epoch INTEGER NOT NULL,
  position INTEGER NOT NULL,
  line TEXT NOT NULL,
  PRIMARY KEY (epoch, position),
  FOREIGN KEY(epoch) REFERENCES epochs (epoch)
);

CREATE TABLE matches (
  serial INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  number INTEGER NOT NULL,
  match_id VARCHAR NOT NULL,
  game VARCHAR NOT NULL,
  players VARCHAR NOT NULL,
  nonces BLOB NOT NULL,
  begun BIGINT NOT NULL,
  PRIMARY KEY (serial),
  FOREIGN KEY(epoch) REFERENCES epochs (epoch),
  UNIQUE (match_id)
);

CREATE INDEX matches_by_game ON matches (game, serial);

CREATE TABLE records (
  serial INTEGER NOT NULL,
  record BLOB NOT NULL,
  PRIMARY KEY (serial),
  FOREIGN KEY(serial) REFERENCES matches (serial)
);

CREATE TABLE results (
  position INTEGER NOT NULL,
  serial INTEGER NOT NULL,
  ended BIGINT NOT NULL,
  record_digest BLOB NOT NULL,
  outcome TEXT NOT NULL,
  PRIMARY KEY (position),
  UNIQUE (serial),
  FOREIGN KEY(serial) REFERENCES matches (serial)
);

CREATE TABLE running (
  serial INTEGER NOT NULL,
  PRIMARY KEY (serial),
  FOREIGN KEY(serial) REFERENCES matches (serial)
);

CREATE TABLE seats (
  player INTEGER NOT NULL,
  game VARCHAR NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (player, game, serial),
  FOREIGN KEY(player) REFERENCES players (player),
  FOREIGN KEY(serial) REFERENCES matches (serial)
);

CREATE TABLE voids (
  serial INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (serial),
  FOREIGN KEY(serial) REFERENCES matches (serial)
);

INSERT INTO ladder_version VALUES (1);

INSERT INTO settings VALUES ('abababababababababababababababababababababababababababababababab', '[ladder]');

INSERT INTO ladder VALUES (1, 'trial', 'abababababababababababababababababababababababababababababababab', X'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 5, 1800000000, 1800000000);

INSERT INTO epochs VALUES (1, 1800000000, 'abababababababababababababababababababababababababababababababab', 1, 0, 0, 0, 0, false, false, false);
