export { maskTokens } from './masked-tokens'
