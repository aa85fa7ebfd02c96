import { headerValue, splitSipMessage, type SocketAddress } from '@trunkline/contract/calls/sip-message'
import type { MediaRow, MessageRow } from './model/ladder'
import { sessionOf, type Media } from './model/codecs'
import { durationText } from '../trace/model/time-scale'
import { messages } from '@trunkline/contract/messages/call-flow'
import { Tag } from '../../../ui/tag'
import css from './call-flow.module.css'
import { FactsBlock } from '../detail/detail-header'

/** Formats a socket address. */
export const endText = ({ address, port }: SocketAddress) =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`

/** Masks the digest response, which proves the sender's identity, so that nobody can read it from the screen. */
const veiled = (name: string, value: string) =>
  /^(?:proxy-)?authorization$/i.test(name) ? value.replace(/\bresponse="[^"]*"/gi, 'response="••••••••"') : value

const Summary = ({ kind, address, port, codecs, direction }: Media) => (
  <div className={css.tags}>
    <Tag>{kind}</Tag>
    <Tag>{endText({ address, port })}</Tag>
    <Tag>{codecs.map(({ name }) => name).join(', ')}</Tag>
    <Tag>{direction}</Tag>
  </div>
)

const Body = ({ body, session }: { body: string; session: boolean }) => {
  if (!body.trim()) return null
  const name = session ? messages.session : messages.body
  return (
    <>
      <h3>{name}</h3>
      {session ? sessionOf(body).map((media, at) => <Summary key={at} {...media} />) : null}
      <FactsBlock name={name} text={body.trimEnd()} />
    </>
  )
}

/** The details of a SIP message: addresses, headers and body. */
export const MessageFacts = ({ row }: { row: MessageRow }) => {
  const { source, target, transport, text, cut } = row.message
  const parts = splitSipMessage(text)
  const session = /^application\/sdp/i.test(headerValue(parts, 'content-type') ?? '')
  return (
    <>
      <p className={css.way}>
        {transport} {endText(source)} → {endText(target)}
      </p>
      <p className={css.first}>{parts.startLine}</p>
      {cut ? <p className={css.way}>{messages.truncatedMessage}</p> : null}
      <h3>
        {messages.headers} <span>{parts.headers.length}</span>
      </h3>
      <dl className={css.headers}>
        {parts.headers.map(({ name, value }, at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd>{veiled(name, value)}</dd>
          </div>
        ))}
      </dl>
      <Body body={parts.body} session={session} />
    </>
  )
}

/** The details of an RTP stream in one or both directions. */
export const SoundFacts = ({ row: { streams } }: { row: MediaRow }) =>
  streams.map(({ source, target, ssrc, packets, lost, from, to }) => (
    <div key={`${endText(source)} ${ssrc}`}>
      <p className={css.first}>
        {endText(source)} → {endText(target)}
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
