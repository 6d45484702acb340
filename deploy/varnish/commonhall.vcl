# Varnish 7.1 or later, with the package varnish-modules, as a shared cache in front of two Commonhall servers. Replace the
# two addresses. On the servers, set TRUSTED_PROXIES to the address of this machine. docs/caching.md says what this does.
#
#   varnishd -a :6081 -f /etc/varnish/commonhall.vcl -p http_gzip_support=off
#
# Without http_gzip_support=off, Varnish stores gzip only, unpacks it itself, and ETags become weak. Callers must connect
# to Varnish, or to a TLS proxy that sends the PROXY protocol (-a :6081,PROXY): otherwise they share one limit.
vcl 4.1;

import directors;
import vsthrottle;

probe ready {
  .url = "/readyz";
  .interval = 1s;
  .timeout = 2s;
  .window = 3;
  .threshold = 2;
  .initial = 2;
}
# A response takes at most 4 × DATABASE_WAIT_MS + STATEMENT_TIMEOUT_MS: 7 s by default.
backend one {
  .host = "10.0.0.11";
  .port = "8080";
  .probe = ready;
  .connect_timeout = 2s;
  .first_byte_timeout = 12s;
  .between_bytes_timeout = 10s;
}
backend two {
  .host = "10.0.0.12";
  .port = "8080";
  .probe = ready;
  .connect_timeout = 2s;
  .first_byte_timeout = 12s;
  .between_bytes_timeout = 10s;
}

sub vcl_init {
  new commonhall = directors.round_robin();
  commonhall.add_backend(one);
  commonhall.add_backend(two);
}

sub vcl_recv {
  # Replaced, not extended: the value that a caller sends is not trusted.
  set req.http.X-Forwarded-For = client.ip;
  # The servers limit what reaches them. This limit is for hits: a thousand a second cost a few percent of a core. An IPv6
  # caller counts by the first four groups of its address, as written.
  if (vsthrottle.is_denied(regsub(client.ip, "^(([0-9a-f]*:){4}).*", "\1"), 1000, 1s)) {
    return (synth(429));
  }
  # The built-in rules would connect an unknown method to a server, with all that follows on the connection.
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  unset req.http.Cookie;
  # Whole responses, as the servers send. Without Last-Modified, If-Modified-Since would compare the time of the fetch.
  unset req.http.Range;
  unset req.http.If-Modified-Since;
  # The operations that read a credential: the rows of packages/contract/src/table.ts whose auth is not `none`. A request
  # that carries one is neither answered from the cache nor stored. On any other path it is public, and loses it.
  if (req.http.Authorization) {
    if (req.url ~ "^/(launches/[^/?]+|bounties/(me|[^/?]+/submissions/me)|sponsors/[^/?]+/bounties/[^/?]+/submissions)(\?|$)") {
      return (pass);
    }
    unset req.http.Authorization;
  }
  # gzip or nothing. A list with a weight gets uncompressed responses, unless gzip comes first.
  if (req.http.Accept-Encoding ~ "^gzip(,|$)|^[^;]*, ?gzip(,|$)") {
    set req.http.Accept-Encoding = "gzip";
  } else {
    unset req.http.Accept-Encoding;
  }
}

sub vcl_backend_fetch {
  set bereq.backend = commonhall.backend();
}

sub vcl_backend_response {
  # Fresh as long as max-age says, and then gone: the row may have been hidden meanwhile.
  set beresp.grace = 0s;
  set beresp.keep = 0s;
  # Stored is only what says that it is public; for two minutes, others do not wait for each other at this URL.
  if (beresp.http.Cache-Control !~ "^public, max-age=[1-9]") {
    set beresp.ttl = 120s;
    set beresp.uncacheable = true;
  }
  return (deliver);
}

sub vcl_deliver {
  # A response from the cache has an id of its own, any other has the id that its server logs.
  if (obj.hits > 0) {
    set resp.http.X-Request-Id = "cache-" + req.xid;
  }
  unset resp.http.Via;
  unset resp.http.X-Varnish;
  unset resp.http.Accept-Ranges;
}

# Varnish's own errors, in the format of the API.
sub vcl_synth {
  set resp.http.Content-Type = "application/json; charset=utf-8";
  set resp.http.Cache-Control = "no-store";
  set resp.http.X-Request-Id = "cache-" + req.xid;
  set resp.http.X-Content-Type-Options = "nosniff";
  set resp.http.Access-Control-Allow-Origin = "*";
  set resp.http.Access-Control-Expose-Headers = "X-Request-Id, Retry-After";
  unset resp.http.X-Varnish;
  if (resp.status == 429) {
    set resp.http.Retry-After = "1";
    set resp.body = """{"success":false,"error":"Too many requests; try again in 1 s","code":"RATE_LIMITED"}""";
  } else if (resp.status == 400) {
    set resp.body = """{"success":false,"error":"The request is not valid HTTP","code":"VALIDATION_ERROR"}""";
  } else {
    set resp.status = 503;
    set resp.http.Retry-After = "1";
    set resp.body = """{"success":false,"error":"The service cannot answer now; try again","code":"SERVICE_UNAVAILABLE"}""";
  }
  return (deliver);
}

sub vcl_backend_error {
  # Only what can be sent twice. A 503 of a server is not retried: under overload that would only add load.
  if (bereq.retries == 0 && bereq.method != "POST") {
    return (retry);
  }
  # Those that wait for this response get it too, for a second at most; it is not stale.
  set beresp.grace = 0s;
  set beresp.keep = 0s;
  set beresp.status = 503;
  set beresp.http.Content-Type = "application/json; charset=utf-8";
  set beresp.http.Cache-Control = "no-store";
  set beresp.http.X-Request-Id = "cache-" + bereq.xid;
  set beresp.http.X-Content-Type-Options = "nosniff";
  set beresp.http.Access-Control-Allow-Origin = "*";
  set beresp.http.Access-Control-Expose-Headers = "X-Request-Id, Retry-After";
  set beresp.http.Retry-After = "1";
  set beresp.body = """{"success":false,"error":"The service cannot answer now; try again","code":"SERVICE_UNAVAILABLE"}""";
  return (deliver);
}
