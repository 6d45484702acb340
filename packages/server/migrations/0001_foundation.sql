-- Up Migration
-- The words of the model: text with its limits (gap G15, G16), instants, addresses, JSON shapes, the one clock.
set local lock_timeout = '5s';

create extension if not exists pg_trgm;

-- Every text compares by bytes ("C"), so that order and equality are the same on every machine. Never empty.
create domain name_text as text collate "C" check (char_length(value) between 1 and 100);
create domain id_text as text collate "C" check (
  char_length(value) between 1 and 100
  and value !~ '[\u0001-\u001f\u007f-\u009f]'
  and value not in ('.', '..') -- a URL loses them on its way
);
-- What stands in a URL (gap G18), without the words that are routes of their own (gap G13).
create domain slug_text as text collate "C" check (
  value ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'
  and lower(value) not in ('me', 'featured', 'user', 'scores', 'metadata')
);
create domain title_text as text collate "C" check (char_length(value) between 1 and 200);
create domain short_text as text collate "C" check (char_length(value) between 1 and 500);
create domain url_text as text collate "C" check (char_length(value) between 1 and 2048);
create domain long_text as text collate "C" check (char_length(value) between 1 and 50000);
create domain instant as timestamptz(3) check (value >= '0001-01-01T00:00:00Z' and value < '10000-01-01T00:00:00Z');
create domain safe_integer as bigint check (value between -9007199254740991 and 9007199254740991);
create domain count_integer as bigint check (value between 0 and 9007199254740991);
create domain finite_number as double precision check (value > '-Infinity' and value < 'Infinity');

-- The only reader of the clock. The setting commonhall.fixed_now pins it.
create function api_now() returns timestamptz
language sql stable parallel safe
return coalesce(nullif(current_setting('commonhall.fixed_now', true), '')::timestamptz, statement_timestamp());

-- spec 1.6: UTC, milliseconds, trailing Z.
create function iso(moment timestamptz) returns text
language sql stable parallel safe
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Whether a JSON value has exactly a shape. A shape is a word, [shape] (at most 100 elements) or {key: shape} (these
-- keys and no others). Words: boolean, integer, number, textN (1 to N characters), upperN (no small letters),
-- registry (namespace:chainId:address); a trailing ? allows JSON null. Nothing at all (SQL null) fits no shape.
create function json_fits(given jsonb, shape jsonb) returns boolean
language plpgsql immutable parallel safe
as $$
declare
  word text;
begin
  case jsonb_typeof(shape)
    when 'array' then
      if given is null or jsonb_typeof(given) <> 'array' or jsonb_array_length(given) > 100 then
        return false;
      end if;
      return not exists (select from jsonb_array_elements(given) e where not public.json_fits(e, shape -> 0));
    when 'object' then
      if given is null or jsonb_typeof(given) <> 'object' then
        return false;
      end if;
      return not exists (select from jsonb_object_keys(given) k where not shape ? k)
        and not exists (select from jsonb_each(shape) s where not public.json_fits(given -> s.key, s.value));
    else
      word := shape #>> '{}';
      if given is null then
        return false;
      elsif jsonb_typeof(given) = 'null' then
        return word like '%?';
      end if;
      word := rtrim(word, '?');
      if word in ('boolean') then
        return jsonb_typeof(given) = 'boolean';
      elsif word in ('integer', 'number') then
        return jsonb_typeof(given) = 'number' and case word
          when 'integer' then trunc(given::numeric) = given::numeric and abs(given::numeric) <= 9007199254740991
          else abs(given::numeric) <= 1.7976931348623157e308
        end;
      elsif jsonb_typeof(given) <> 'string' then
        return false;
      elsif word = 'registry' then
        return given #>> '{}' ~ '^[^:[:space:]]+:[^:[:space:]]+:[^[:space:]]+$' and char_length(given #>> '{}') <= 100;
      elsif word like 'upper%' and given #>> '{}' ~ '[a-z]' then
        return false;
      end if;
      return char_length(given #>> '{}') between 1 and substring(word from '[0-9]+')::integer;
  end case;
end
$$;

-- gap G17: the tags of a user as views without contests show them: no contestName, equal ones once, first place kept.
create function public_tags(tags jsonb) returns json
language sql immutable parallel safe
return case when tags = '[]' then '[]'::json else (
  select ('[' || coalesce(string_agg('{"tag":' || t.tag || ',"tier":' || t.tier || '}', ',' order by t.place), '') || ']')::json
  from (
    select (e.value -> 'tag')::text as tag, (e.value -> 'tier')::text as tier, min(e.place) as place
    from jsonb_array_elements(case when jsonb_typeof(tags) = 'array' then tags else '[]' end) with ordinality as e (value, place)
    group by 1, 2
  ) t
) end;

-- gap G18: how names are searched, the same on both sides of the comparison. A sigma at the end of a word is one too,
-- or a part of a word would not be found in it.
create function search_form(value text) returns text
language sql immutable parallel safe
return translate(lower(value collate "und-x-icu"), 'ς', 'σ');

-- gap G13: one form for every spelling of an address. EVM: small letters. TON, raw or friendly: workchain:hash in
-- small letters, or null when the checksum is wrong. Anything else is its own form.
create function canonical_address(address text) returns text
language plpgsql immutable strict parallel safe
as $$
declare
  bytes bytea;
  crc integer := 0;
  x integer;
begin
  if address ~ '^0[xX][0-9a-fA-F]{40}$' or address ~ '^-?[0-9]{1,10}:[0-9a-fA-F]{64}$' then
    return lower(address);
  end if;
  -- One byte of flags (0x11, 0x51, 0x91, 0xd1), one of workchain (0 or -1), 32 of hash, 2 of CRC-16/XMODEM.
  if address ~ '^[EUk0][Qf][A-Za-z0-9+/_-]{46}$' then
    bytes := decode(translate(address, '-_', '+/'), 'base64');
    for i in 0..33 loop
      x := ((crc >> 8) # get_byte(bytes, i)) & 255;
      x := x # (x >> 4);
      crc := ((crc << 8) # (x << 12) # (x << 5) # x) & 65535;
    end loop;
    if get_byte(bytes, 0) not in (17, 81, 145, 209) or crc <> get_byte(bytes, 34) * 256 + get_byte(bytes, 35) then
      return null;
    end if;
    return case get_byte(bytes, 1) when 0 then '0' when 255 then '-1' end || ':' || encode(substr(bytes, 3, 32), 'hex');
  end if;
  return address;
end
$$;

-- Whether a text is an instant as spec 1.6 writes it, of the years 1 to 9999.
create function is_iso(moment text) returns boolean
language sql immutable parallel safe
return case
  when moment !~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$' then false
  when left(moment, 4) = '0000' then false
  else substr(moment, 9, 2)::integer <= extract(day from
    make_date(left(moment, 4)::integer, substr(moment, 6, 2)::integer, 1) + interval '1 month' - interval '1 day')
end;

-- Whether a JSON value is a text of 1 to so many characters. Inlined where it is used: timelines have millions of rows.
create function is_text(given jsonb, longest integer) returns boolean
language sql immutable parallel safe
return coalesce(jsonb_typeof(given) = 'string' and char_length(given #>> '{}') between 1 and longest, false);

create function is_avatar(given jsonb) returns boolean
language sql immutable parallel safe
return case
  when jsonb_typeof(given) = 'object' then
    is_text(given -> 'sm', 2048) and is_text(given -> 'lg', 2048) and given - 'sm' - 'lg' = '{}'
  else false
end;

create function is_integer(given jsonb) returns boolean
language sql immutable parallel safe
return case
  when jsonb_typeof(given) = 'number' then trunc(given::numeric) = given::numeric and abs(given::numeric) <= 9007199254740991
  else false
end;

-- Whether the details of a timeline item carry the keys of its type (gap G10). Open: more keys may be there. A number
-- that is not a finite double has more than 308 digits.
create function timeline_details_fit(type text, details jsonb) returns boolean
language sql immutable parallel safe
return case
  when jsonb_typeof(details) <> 'object' or octet_length(details::text) > 400000 then false
  when octet_length(details::text) > 308
    and details @? '$.** ? (@.type() == "number" && (@ > 1.7976931348623157e308 || @ < -1.7976931348623157e308))' then false
  when type in ('COMMIT', 'PR') and not (
    is_text(details #> '{repository,platform}', 100)
    and is_text(details #> '{repository,owner}', 100)
    and is_text(details #> '{repository,name}', 100)
    and is_text(details -> 'url', 2048)
  ) then false
  when type = 'COMMIT' then is_text(details -> 'sha', 100) and is_text(details -> 'message', 50000)
  when type = 'PR' then
    is_integer(details -> 'number')
    and is_text(details -> 'title', 200)
    and is_text(details -> 'state', 100)
    and details ? 'mergedAt'
    and coalesce(is_iso(details ->> 'mergedAt'), true)
    and jsonb_typeof(details -> 'mergedAt') in ('string', 'null')
  when type = 'BADGE_RECEIVED' then
    is_text(details -> 'collectionAddress', 100)
    and is_text(details -> 'collectionName', 100)
    and is_text(details -> 'image', 2048)
    and is_integer(details -> 'itemIndex')
  when type = 'GIFT_RECEIVED' then
    is_text(details -> 'giftId', 100)
    and is_text(details -> 'name', 100)
    and (coalesce(details -> 'image' = 'null', false) or is_text(details -> 'image', 2048))
    and (coalesce(details -> 'from' = 'null', false) or is_text(details -> 'from', 100))
  else false
end;
