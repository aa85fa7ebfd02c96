import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badRequest } from './problem'

/** Mounts routes that accept multipart forms; other routes refuse them. Each route sets its own body limit. */
export const mountUploadRoutes = (app: FastifyInstance, mount: (scopedApp: FastifyInstance) => void): void => {
  void app.register((scopedApp, _, done) => {
    scopedApp.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, bytes, onParsed) =>
      onParsed(null, bytes),
    )
    mount(scopedApp)
    done()
  })
}

/** The text of one part of a form. Throws 400 if it is missing. */
export const readUploadedText = async (request: FastifyRequest, partName: string): Promise<string> => {
  const { body } = request
  const type = request.headers['content-type']
  if (!Buffer.isBuffer(body) || !type) throw badRequest(`missing file in part ${partName}`, partName)
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData().catch(() => {
    throw badRequest('the form cannot be read')
  })
  const entry = form.get(partName)
  const text = typeof entry === 'string' ? entry : await entry?.text()
  if (!text) throw badRequest(`missing file in part ${partName}`, partName)
  return text
}
