// A certified identity provider for tests: whoever types a name is that person, and every login is theirs to approve.
// It prints its address once it listens, and ends with its standard input.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const EMAILS = JSON.parse(process.env.EMAILS ?? '{}');
const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    claims: { profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
    cookies: { keys: ['only a test'] },
    features: {
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (context, resource) => ({
          scope: 'read write',
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    findAccount: (context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: id,
        preferred_username: id,
        email: EMAILS[id] ?? `${id}@example.org`,
        email_verified: !id.startsWith('unverified'),
      }),
    }),
    issueRefreshToken: () => true,
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access', 'profile', 'email', 'read', 'write'],
  });
  // Its pages fetch letters from elsewhere; nothing in a test leaves this machine.
  provider.use(async (context, next) => {
    await next();
    if (typeof context.body === 'string') context.body = context.body.replace(/@import url\([^)]*\);?/, '');
  });
  server.on('request', provider.callback());
  console.log(issuer);
});
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
