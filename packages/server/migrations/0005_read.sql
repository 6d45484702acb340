-- The read path: what the texts of stored JSON need (src/db/lists/stored-json.ts). `commonhall migrate` creates the server's
-- roles and grants their privileges (src/db/schema/rights.ts).

-- The members of an object, without its braces.
create function json_members(value json) returns text
language sql immutable parallel safe
return substr(value::text, 2, length(value::text) - 2);
-- Like encodeURIComponent: characters that are not plain in a URL become percent-encoded UTF-8 bytes.
create function url_part(value text) returns text
language sql immutable parallel safe
return (
  select string_agg(case when c.letter ~ '[A-Za-z0-9_.!~*''()-]' then c.letter
    else regexp_replace(upper(encode(convert_to(c.letter, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end, '' order by c.place)
  from regexp_split_to_table(value, '') with ordinality as c (letter, place)
);

-- Keeps the columns of an agent together: parts go to TOAST only when the row would not fit a page.
alter table agents set (toast_tuple_target = 8160);
