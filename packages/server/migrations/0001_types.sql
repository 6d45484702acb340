-- The types of the model: text with its limits (gap G15, G16, G18), instants, numbers, JSON, addresses, the clock.

create extension if not exists pg_trgm;

-- Every text compares by bytes ("C"), so that order and equality are the same on every machine. Text may be empty, but
-- not keys, slugs and status words. A line has no control character, a text none but tab, newline and carriage return.
create function is_line(value text, most integer) returns boolean
language sql immutable parallel safe
return char_length(value) <= most and value !~ '[\u0001-\u001f\u007f-\u009f]';
create function is_text(value text, most integer) returns boolean
language sql immutable parallel safe
return char_length(value) <= most and value !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]';
create domain id_text as text collate "C" check (value <> '' and is_line(value, 100));
create domain word_text as text collate "C" check (value <> '' and is_line(value, 100));
create domain term_text as text collate "C" check (is_line(value, 100));
create domain name_text as text collate "C" check (is_text(value, 200));
create domain short_text as text collate "C" check (is_text(value, 500));
create domain url_text as text collate "C" check (is_text(value, 2048));
create domain long_text as text collate "C" check (is_text(value, 50000));
-- Text that appears in a URL (gap G18): no space, none of / ? # % \, no character that is invisible or changes the text
-- direction (control, format, private use), in Unicode NFC.
create domain slug_text as text collate "C" check (
  char_length(value) between 1 and 100
  and value not in ('.', '..')
  and value !~ '[\u0001-\u0020/?#%\\\u007f-\u00a0\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e]'
  and value !~ '[\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ue000-\uf8ff\ufeff\ufff9-\ufffb]'
  and value !~ '[\U000110BD\U000110CD\U00013430-\U0001343F\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A]'
  and value !~ '[\U000E0001\U000E0020-\U000E007F\U000F0000-\U000FFFFD\U00100000-\U0010FFFD]'
  and value is nfc normalized
);
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
-- Immutable in fact: it depends on no setting. Only for stored columns; reads use the inlined original.
create function iso_text(moment timestamptz) returns text
language sql immutable parallel safe
return iso(moment);

-- Whether a JSON value has only text and numbers that the model accepts: no control character but tab, newline and
-- carriage return, no number beyond 2^53-1. jsonb prints numbers in full, so that a large one has many digits.
create function json_is_sound(given jsonb) returns boolean
language sql immutable parallel safe
return given::text !~ '[\u007f-\u009f]|[^\\](\\\\)*\\(b|f|u00(0[1-8bcef]|1))'
  and (given::text !~ '[0-9]{16}'
    or not given @? '$.** ? (@.type() == "number" && (@ > 9007199254740991 || @ < -9007199254740991))');

-- Whether a JSON value has exactly a shape. A shape is a word, [shape] (at most 100 elements) or {key: shape} (these
-- keys and no others). Words: boolean, integer, number, object, textN (at most N characters), wordN (and not empty),
-- upperN (no lower-case letters a-z); a trailing ? allows JSON null. SQL null (an absent key) fits no shape.
create function json_fits(given jsonb, shape jsonb) returns boolean
language plpgsql immutable parallel safe
as $$
declare
  word text := rtrim(shape #>> '{}', '?');
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
      if given is null or jsonb_typeof(given) = 'null' then
        return given is not null and shape #>> '{}' like '%?';
      elsif word = 'integer' then
        return jsonb_typeof(given) = 'number' and scale(given::numeric) = 0; -- 7.0 would leave as 7.0
      elsif word in ('boolean', 'number', 'object') then
        return jsonb_typeof(given) = word;
      elsif jsonb_typeof(given) <> 'string' or (word like 'upper%' and given #>> '{}' ~ '[a-z]')
        or (word like 'word%' and given = '""') then
        return false;
      end if;
      return char_length(given #>> '{}') <= substring(word from '[0-9]+')::integer;
  end case;
end
$$;

-- The check of an array column, which is nearly always empty.
create function json_is_right(given jsonb, shape jsonb) returns boolean
language sql immutable parallel safe
return given = '[]' or (json_is_sound(given) and json_fits(given, shape));

create domain avatar_json as jsonb
  check (value is null or json_is_sound(value) and json_fits(value, '{"sm": "text2048", "lg": "text2048"}'));
create domain ids_json as jsonb check (json_is_right(value, '["word100"]'));
create domain tags_json as jsonb
  check (json_is_right(value, '[{"tag": "text100", "tier": "text100", "contestName": "text200?"}]'));
create domain services_json as jsonb check (json_is_right(value, '[{
  "name": "text200", "endpoint": "text2048", "description": "text500?", "version": "text100?",
  "capabilities": ["text200"], "mcpTools": ["text200"], "mcpResources": ["text200"], "mcpPrompts": ["text200"],
  "skills": ["text200"], "domains": ["text200"], "a2aSkills": ["text200"]
}]'));
create domain names_json as jsonb check (json_is_right(value, '["text200"]'));
create domain urls_json as jsonb check (json_is_right(value, '["text2048"]'));
create domain objects_json as jsonb check (json_is_right(value, '["object"]'));
create domain field_values_json as jsonb
  check (json_is_right(value, '[{"label": "text200", "type": "text100", "value": "text50000"}]'));
create domain links_json as jsonb check (json_is_right(value, '[{"name": "text200", "value": "text2048"}]'));
create domain visibility_word as text collate "C" check (value in ('public', 'hidden'));

-- gap G22: the form in which names are searched, on both sides of the comparison. NFC, because é can be one character or
-- two. A final sigma becomes a normal one, otherwise a part of a word would not be found in it.
create function search_form(value text) returns text
language sql immutable parallel safe
return translate(lower(normalize(value, nfc) collate "und-x-icu"), 'ς', 'σ');
-- The patterns of search words, in which %, _ and \ are escaped already.
create function search_patterns(words json) returns text[]
language sql immutable parallel safe
return array(select '%' || search_form(w) || '%' from json_array_elements_text(words) w);

-- gap G13: one canonical form for every spelling of an address. EVM: lower case. TON, raw or friendly: workchain:hash
-- in lower case, or null when the checksum is wrong. Any other address is returned unchanged.
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

-- gap G11: what is public. A takedown by the operator comes first, then the platform's visibility, then the status.
-- Unknown means not public.
create function is_shown(is_taken_down boolean, visibility text, by_status boolean) returns boolean
language sql immutable parallel safe
return not is_taken_down
  and coalesce(case visibility when 'hidden' then false when 'public' then true else by_status end, false);

-- One number for a combination of filter values, so that an index can include it.
create function facet_of(variadic parts text[]) returns bigint
language sql immutable parallel safe
return hash_array_extended(parts, 0);
