const count = (number: number, singular: string) =>
  `${number.toLocaleString('en-US')} ${singular}${number === 1 ? '' : 's'}`

/** Messages about the SIP messages of a call. */
export const messages = {
  title: 'Call flow',
  list: 'Messages',
  loading: 'Loading the packet capture',
  none: 'This packet capture contains no SIP messages.',
  notCaptured: 'No SIP messages were captured for this call.',
  /** For servers that may not support captures: their response does not show whether they lack the feature or the capture. */
  notProvided: 'This server has no SIP messages for this call. It might not capture SIP.',
  notLoaded: (reason: string) => `The SIP messages could not be loaded: ${reason}`,
  unreadable:
    'The console cannot read this packet capture. Download it and open it in another program, such as Wireshark.',
  tooLarge:
    'This packet capture is too large for the console. Download it and open it in another program, such as Wireshark.',
  openAnother: 'Open another capture',
  backToCall: 'Back to the capture of this call',
  damaged: 'The packet capture is damaged. Packets after the damage are missing.',
  tooManyParticipants: (shownCount: number, totalCount: number, hiddenMessageCount: number) =>
    `Only the first ${shownCount.toLocaleString('en-US')} of ${totalCount.toLocaleString('en-US')} participants are shown. Messages with other participants are hidden: ${hiddenMessageCount.toLocaleString('en-US')}. Open the packet capture in another program, such as Wireshark, to see them.`,
  tooManyStreams: (maxStreams: number) =>
    `Only the first ${maxStreams.toLocaleString('en-US')} possible RTP streams of the packet capture were read. RTP may be missing.`,
  tooManyTcpStreams: (maxStreams: number) =>
    `Only the first ${maxStreams.toLocaleString('en-US')} TCP streams of the packet capture were read completely. SIP messages may be missing.`,
  /** Follows the first ports of a host. */
  morePorts: (number: number) => `and ${number.toLocaleString('en-US')} more`,
  summary: (messageCount: number, participants: number, length: string) =>
    `${count(messageCount, 'message')} · ${count(participants, 'participant')} · ${length}`,
  leg: 'Leg',
  allLegs: 'all',
  legName: (from: string, to: string, messageCount: number) => `${from} → ${to}, ${count(messageCount, 'message')}`,
  showRetransmissions: 'Show retransmissions',
  retransmission: 'retransmission',
  retransmissionCount: (number: number) => count(number, 'retransmission'),
  challenge: 'challenge',
  messageClasses: {
    request: 'Request',
    progress: '1xx',
    success: '2xx',
    redirect: '3xx',
    failure: '4xx to 6xx',
  },
  /** For screen readers: follows the name of a message, in place of its arrow. */
  direction: (from: string, to: string) => `from ${from} to ${to}`,
  position: (position: number, total: number) => `${position} of ${total}`,
  previous: 'Previous message',
  next: 'Next message',
  copy: 'Copy message',
  /** Name of a copied message in the toast. */
  copiedName: 'Message',
  headers: 'Headers',
  session: 'SDP',
  body: 'Body',
  truncatedMessage: 'The end of this message was not captured.',
  rtpStream: (codec: string, length: string) => `RTP ${codec}, ${length}`,
  packets: 'Packets',
  lost: 'Lost',
  length: 'Length',
} as const
