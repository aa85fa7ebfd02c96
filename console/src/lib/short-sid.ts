const visibleLengths = { start: 8, end: 4 }

/** Removes the middle part of a SID: '27c9998b…7cc0'. Returns short texts unchanged. */
export const shortenSid = (sid: string): string =>
  sid.length <= visibleLengths.start + visibleLengths.end + 1
    ? sid
    : `${sid.slice(0, visibleLengths.start)}…${sid.slice(-visibleLengths.end)}`
