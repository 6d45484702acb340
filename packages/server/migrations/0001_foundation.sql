-- Up Migration
-- The words of the model: text with its limits (gap G15, G16), instants, addresses, JSON shapes, the one clock.
set local lock_timeout = '5s';

create extension if not exists pg_trgm;

-- Every text compares by bytes ("C"), so that order and equality are the same on every machine. Never empty.
create domain name_text as text collate "C" check (char_length(value) between 1 and 100);
create domain id_text as text collate "C" check (char_length(value) between 1 and 100 and value !~ '[\u0001-\u001f\u007f-\u009f]');
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
        return given #>> '{}' ~ '^[^:]+:[^:]+:.+$' and char_length(given #>> '{}') <= 100;
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
return (
  select ('[' || coalesce(string_agg('{"tag":' || t.tag || ',"tier":' || t.tier || '}', ',' order by t.place), '') || ']')::json
  from (
    select (e.value -> 'tag')::text as tag, (e.value -> 'tier')::text as tier, min(e.place) as place
    from jsonb_array_elements(case when jsonb_typeof(tags) = 'array' then tags else '[]' end) with ordinality as e (value, place)
    group by 1, 2
  ) t
);

-- gap G18: how names are searched, the same on both sides of the comparison.
create function search_form(value text) returns text
language sql immutable parallel safe
return lower(value collate "und-x-icu");

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

-- Whether the details of a timeline item carry the keys of its type (gap G10). Open: more keys may be there.
create function timeline_details_fit(type text, details jsonb) returns boolean
language sql immutable parallel safe
return case
  when jsonb_typeof(details) <> 'object' or octet_length(details::text) > 400000 then false
  when details @? '$.** ? (@.type() == "number" && (@ > 1.7976931348623157e308 || @ < -1.7976931348623157e308))' then false
  when type in ('COMMIT', 'PR') and not (
    json_fits(details #> '{repository,platform}', '"text100"')
    and json_fits(details #> '{repository,owner}', '"text100"')
    and json_fits(details #> '{repository,name}', '"text100"')
    and json_fits(details -> 'url', '"text2048"')
  ) then false
  when type = 'COMMIT' then json_fits(details -> 'sha', '"text100"') and json_fits(details -> 'message', '"text50000"')
  when type = 'PR' then
    json_fits(details -> 'number', '"integer"')
    and json_fits(details -> 'title', '"text200"')
    and json_fits(details -> 'state', '"text100"')
    and details ? 'mergedAt'
    and coalesce(details ->> 'mergedAt' ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$', true)
    and jsonb_typeof(details -> 'mergedAt') in ('string', 'null')
  when type = 'BADGE_RECEIVED' then
    json_fits(details -> 'collectionAddress', '"text100"')
    and json_fits(details -> 'collectionName', '"text100"')
    and json_fits(details -> 'image', '"text2048"')
    and json_fits(details -> 'itemIndex', '"integer"')
  when type = 'GIFT_RECEIVED' then
    json_fits(details -> 'giftId', '"text100"')
    and json_fits(details -> 'name', '"text100"')
    and json_fits(details -> 'image', '"text2048?"')
    and json_fits(details -> 'from', '"text100?"')
  else false
end;
