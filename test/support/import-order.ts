// The order of types and fields in the graph follows that in which records and resolvers are imported. The manifest of all modules comes
// first here as it does in the service, whichever file a test begins with.
import '../../src/modules/index.js';
