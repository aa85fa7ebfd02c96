import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReceivedMail } from '../scripts/launch/mailbox'

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const renderPage = (title: string, body: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
  <title>${title}</title><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
  <style>body{font:15px/1.5 system-ui,sans-serif;max-width:640px;margin:32px auto;padding:0 16px}
  article{border-top:1px solid #8888;padding:12px 0}pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}</style></head>
  <body><main><h1>${title}</h1>${body}</main></body></html>`

const renderMail = ({ recipients, mail }: ReceivedMail) =>
  `<article><h2>${escapeHtml(mail.subject ?? '')}</h2><p>To ${escapeHtml(recipients.join(', '))}</p>
  <pre>${escapeHtml(mail.text ?? '')}</pre></article>`

const renderMailbox = (mails: readonly ReceivedMail[]) =>
  mails.length > 0
    ? mails.toReversed().map(renderMail).join('')
    : '<p>No mail yet. Reload this page after you registered or asked for a new password.</p>'

const sampleText = '<p>This is a sample page of the demonstration. There is nothing to accept.</p>'

/** Serves the mail that the demonstration sent, and sample pages for its terms and its privacy policy. */
export const startMailPage = async (listMails: () => readonly ReceivedMail[]) => {
  const pages: Record<string, () => string> = {
    '/': () => renderPage('Mailbox of the demonstration', renderMailbox(listMails())),
    '/terms': () => renderPage('Terms of Service', sampleText),
    '/privacy': () => renderPage('Privacy Policy', sampleText),
  }
  const server = createServer((request, response) => {
    const render = pages[request.url ?? '']
    if (!render) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(render())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
