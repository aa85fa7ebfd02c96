import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { handleErrors } from './error-handler'
import { createServer } from './server'
import { readConfig } from '../config/config'

describe('the error handler', () => {
  const createApp = (error: Error) => {
    const app = createServer({ config: { ...readConfig({}), logLevel: 'silent' } })
    handleErrors(app)
    app.get('/', () => Promise.reject(error))
    return app
  }

  it.each([401, 403, 404])('does not pass on the status %d of an error from another server', async (statusCode) => {
    const app = createApp(Object.assign(new Error('AccessDenied: bucket of the operator'), { statusCode }))
    const response = await app.inject('/')
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toContain('bucket')
    await app.close()
  })

  it("responds with the status of the framework's own errors", async () => {
    const app = createApp(new fastify.errorCodes.FST_ERR_ROUTE_MISSING_CONTENT())
    expect((await app.inject('/')).statusCode).toBe(400)
    await app.close()
  })
})
