CREATE TABLE entrants (
  name VARCHAR NOT NULL,
  position INTEGER NOT NULL,
  nonce BLOB,
  version VARCHAR NOT NULL,
  build VARCHAR NOT NULL,
  PRIMARY KEY (name),
  UNIQUE (position)
);

CREATE TABLE event (
  id INTEGER NOT NULL CHECK (id = 1),
  name VARCHAR NOT NULL,
  settings TEXT NOT NULL,
  settings_digest VARCHAR NOT NULL,
  commitment BLOB NOT NULL,
  secret BLOB NOT NULL,
  finished BOOLEAN NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE matches (
  match_id VARCHAR NOT NULL,
  "row" INTEGER NOT NULL,
  game VARCHAR NOT NULL,
  set_key VARCHAR NOT NULL,
  seating INTEGER NOT NULL,
  repetition INTEGER NOT NULL,
  entrants JSON NOT NULL,
  attempt INTEGER NOT NULL,
  PRIMARY KEY (match_id),
  UNIQUE ("row")
);

CREATE TABLE schema_version (
  version INTEGER NOT NULL,
  PRIMARY KEY (version)
);

CREATE TABLE results (
  match_id VARCHAR NOT NULL,
  scores JSON NOT NULL,
  placings JSON NOT NULL,
  faults JSON NOT NULL,
  forfeits JSON NOT NULL,
  record_digest BLOB NOT NULL,
  record BLOB NOT NULL,
  PRIMARY KEY (match_id),
  FOREIGN KEY(match_id) REFERENCES matches (match_id)
);

INSERT INTO schema_version VALUES (2);
