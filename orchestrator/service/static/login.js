// A one-time code comes behind the # of the address, which no browser sends and no server logs.
"use strict";
const code = location.hash.slice(1);
if (code) {
  history.replaceState(null, "", location.pathname);
  document.getElementById("token").value = code;
  document.getElementById("login").submit();
}
