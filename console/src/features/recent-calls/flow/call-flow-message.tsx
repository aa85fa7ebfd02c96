import { findHeaderValue, splitSipMessage, type SocketAddress } from '@trunkline/contract/calls/sip-message'
import type { MediaRow, MessageRow } from './model/ladder'
import { parseSdp, type Media } from './model/codecs'
import { durationText } from '../trace/model/time-scale'
import { messages } from '@trunkline/contract/messages/call-flow'
import { Tag } from '../../../ui/tag'
import css from './call-flow.module.css'
import { TextBlock } from '../detail/detail-header'

/** Formats a socket address. */
export const socketText = ({ address, port }: SocketAddress) =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`

/** Masks the digest response, which proves the sender's identity, so that nobody can read it from the screen. */
const maskDigestResponse = (name: string, value: string) =>
  /^(?:proxy-)?authorization$/i.test(name) ? value.replace(/\bresponse="[^"]*"/gi, 'response="••••••••"') : value

const MediaSummary = ({ kind, address, port, codecs, direction }: Media) => (
  <div className={css.tags}>
    <Tag>{kind}</Tag>
    <Tag>{socketText({ address, port })}</Tag>
    <Tag>{codecs.map(({ name }) => name).join(', ')}</Tag>
    <Tag>{direction}</Tag>
  </div>
)

const MessageBody = ({ body, session: isSession }: { body: string; session: boolean }) => {
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
  const { source, target, transport, text, cut } = row.message
  const parts = splitSipMessage(text)
  const isSession = /^application\/sdp/i.test(findHeaderValue(parts, 'content-type') ?? '')
  return (
    <>
      <p className={css.way}>
        {transport} {socketText(source)} → {socketText(target)}
      </p>
      <p className={css.first}>{parts.startLine}</p>
      {cut ? <p className={css.way}>{messages.truncatedMessage}</p> : null}
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
      <MessageBody body={parts.body} session={isSession} />
    </>
  )
}

/** The details of an RTP stream in one or both directions. */
export const StreamDetails = ({ row: { streams } }: { row: MediaRow }) =>
  streams.map(({ source, target, ssrc, packets, lost, from, to }) => (
    <div key={`${socketText(source)} ${ssrc}`}>
      <p className={css.first}>
        {socketText(source)} → {socketText(target)}
      </p>
      <dl className={css.headers}>
        {[
          [messages.packets, packets.toLocaleString('en-US')],
          [messages.lost, `${lost.toLocaleString('en-US')} (${((lost / (packets + lost)) * 100).toFixed(1)} %)`],
          [messages.length, durationText((to - from) / 1000)],
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
