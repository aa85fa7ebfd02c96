import { describe, expect, it } from 'vitest'
import { findWebhookUrlError } from './webhook-url'

describe('findWebhookUrlError', () => {
  it.each([
    'https://example.com/call',
    'http://localhost:3000/x',
    'ws://10.0.0.1/ws',
    'wss://a-b.example.co.uk/path?x=1#y',
    'http://[2001:db8::1]:8080/',
  ])('accepts %s', (url) => {
    expect(findWebhookUrlError('call_hook', url)).toBeUndefined()
  })

  it.each([
    ['example.com/call', 'call_hook URL is invalid'],
    ['', 'call_hook URL is invalid'],
    [' https://example.com', 'call_hook URL contains leading/trailing whitespace'],
    ['ftp://example.com', 'call_hook URL has missing or invalid protocol ftp:'],
    ['https://host', 'call_hook URL has invalid hostname host'],
    ['https://ex_ample.com', 'call_hook URL has invalid hostname ex_ample.com'],
  ])('refuses %s', (url, message) => {
    expect(findWebhookUrlError('call_hook', url)).toBe(message)
  })
})
