-- Up Migration
-- How far an import has come: written in the transaction of each batch, gone when the import is done. Nothing here is
-- part of the community, and the server does not read it.
set local lock_timeout = '5s';

create table import_checkpoints (
  table_name text primary key,
  -- The part of the file that is done: its length, and the SHA-256 by which the next run knows the file again.
  bytes bigint not null,
  lines bigint not null,
  digest text not null,
  loaded bigint not null,
  rejected bigint not null
);

-- The keys a file has had so far, as MD5: a key may stand in a file once.
create table import_keys (
  table_name text not null,
  key uuid not null,
  primary key (table_name, key)
);
