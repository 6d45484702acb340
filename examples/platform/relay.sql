-- What the relay needs beside the outbox.

-- The position in the stream up to which the relay has published. A stream that ends before it was restored from an
-- older copy.
create table outbox_published (
  is_only boolean primary key default true check (is_only),
  stream_created_at text not null, last bigint not null
);
