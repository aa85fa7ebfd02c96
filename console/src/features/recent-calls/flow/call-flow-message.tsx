import { findHeaderValue, splitSipMessage, type SocketAddress } from '@trunkline/contract/calls/sip-message'
import type { MediaRow, MessageRow } from './model/ladder'
import { parseSdp, type Media } from './model/codecs'
import { formatDurationMs } from '../trace/model/time-scale'
import { messages } from '@trunkline/contract/messages/call-flow'
import { Tag } from '../../../ui/tag'
import css from './call-flow.module.css'
import { TextBlock } from '../detail/detail-header'

/** Formats a socket address. */
export const formatSocket = ({ address, port }: SocketAddress) =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`

/** Masks the digest response, which proves the sender's identity, so that nobody can read it from the screen. */
const maskDigestResponse = (name: string, value: string) =>
  /^(?:proxy-)?authorization$/i.test(name) ? value.replace(/\bresponse="[^"]*"/gi, 'response="••••••••"') : value

const MediaSummary = ({ kind, address, port, codecs, direction }: Media) => (
  <div className={css.tags}>
    <Tag>{kind}</Tag>
    <Tag>{formatSocket({ address, port })}</Tag>
    <Tag>{codecs.map(({ name }) => name).join(', ')}</Tag>
    <Tag>{direction}</Tag>
  </div>
)

const MessageBody = ({ body, isSession }: { body: string; isSession: boolean }) => {
  if (!body.trim()) return null
  const name = isSession ? messages.session : messages.body
  return (
    <>
      <h3>{name}</h3>
      {isSession ? parseSdp(body).map((media, index) => <MediaSummary key={index} {...media} />) : null}
      <TextBlock name={name} text={body.trimEnd()} />
    </>
  )
}

/** The details of a SIP message: addresses, headers and body. */
export const MessageDetails = ({ row }: { row: MessageRow }) => {
  const { source, target, transport, text, isTruncated } = row.message
  const parts = splitSipMessage(text)
  const isSession = /^application\/sdp/i.test(findHeaderValue(parts, 'content-type') ?? '')
  return (
    <>
      <p className={css.addresses}>
        {transport} {formatSocket(source)} → {formatSocket(target)}
      </p>
      <p className={css.startLine}>{parts.startLine}</p>
      {isTruncated ? <p className={css.addresses}>{messages.truncatedMessage}</p> : null}
      <h3>
        {messages.headers} <span>{parts.headers.length}</span>
      </h3>
      <dl className={css.headers}>
        {parts.headers.map(({ name, value }, index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{maskDigestResponse(name, value)}</dd>
          </div>
        ))}
      </dl>
      <MessageBody body={parts.body} isSession={isSession} />
    </>
  )
}

/** The details of an RTP stream in one or both directions. */
export const StreamDetails = ({ row: { streams } }: { row: MediaRow }) =>
  streams.map(({ source, target, ssrc, packetCount, lostCount, startedAtUs, endedAtUs }) => (
    <div key={`${formatSocket(source)} ${ssrc}`}>
      <p className={css.startLine}>
        {formatSocket(source)} → {formatSocket(target)}
      </p>
      <dl className={css.headers}>
        {[
          [messages.packets, packetCount.toLocaleString('en-US')],
          [
            messages.lost,
            `${lostCount.toLocaleString('en-US')} (${((lostCount / (packetCount + lostCount)) * 100).toFixed(1)}%)`,
          ],
          [messages.length, formatDurationMs((endedAtUs - startedAtUs) / 1000)],
          ['SSRC', `0x${ssrc.toString(16).padStart(8, '0')}`],
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  ))
