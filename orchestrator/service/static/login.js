// A one-time code comes behind the # of the address, which no browser sends and no server logs. It has a form of its
// own: any page can lead a browser here with a token of its choice behind the #, and nobody shall be logged in by that.
"use strict";
const code = location.hash.slice(1);
if (code) {
  history.replaceState(null, "", location.pathname);
  document.getElementById("code").value = code;
  document.getElementById("opened").submit();
}
