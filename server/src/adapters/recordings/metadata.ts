import type { BucketTag } from '@trunkline/contract/calls/bucket'

/** The size of metadata that every vendor accepts, including names. */
const maxBytes = 2_000

/** A name that every vendor accepts. Azure requires C# identifiers. */
const toValidName = (name: string) => name.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_')

/** A value that can be sent in a header. */
const toHeaderValue = (value: string) => (/^[\x20-\x7e]*$/.test(value) ? value.trim() : encodeURIComponent(value))

/** The metadata of a recording in a bucket: what its writer sent about the call, and the tags of the bucket's owner. */
export const metadataOf = (
  callMetadata: Record<string, string>,
  tags: readonly BucketTag[],
): Record<string, string> => {
  const metadata: Record<string, string> = {}
  let size = 0
  // The account comes first, because it must not be left out.
  const { accountSid = '', ...otherFields } = callMetadata
  const pairs = [
    ['accountSid', accountSid],
    ...Object.entries(otherFields),
    ...tags.map(({ Key, Value }) => [Key, Value]),
  ]
  for (const [name = '', value = ''] of pairs) {
    const [key, text] = [toValidName(name), toHeaderValue(value)]
    size += key.length + text.length
    if (key === '' || text === '' || key in metadata || size > maxBytes) continue
    metadata[key] = text
  }
  return metadata
}
